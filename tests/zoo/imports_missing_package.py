"""Needs a package that is not there."""

import no_such_package_anywhere

from arena import Bot


class Culprit(Bot):
    def act(self, obs):
        return no_such_package_anywhere.choose(obs)
