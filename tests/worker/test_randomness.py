"""Whatever a bot draws depends on its own game alone."""

import textwrap

import confined

START = """
import random, sys
from random import Random
from arena.bot import Bot
from arena.worker.randomness import Randomness

def bot(seed):
    made = Bot()
    made._arena_seed = seed
    return made

randomness = Randomness()
randomness.install()
one, two = bot(1), bot(2)
"""


def run(program: str) -> None:
    """Run where a replacement of `random` can't reach any other test."""
    confined.run(START + textwrap.dedent(program))


def test_every_function_of_the_module_is_redirected() -> None:
    run(
        """
        functions = [
            getattr(random, name)
            for name in random.__all__
            if not isinstance(getattr(random, name), type)
        ]
        assert len(functions) > 20
        assert all(f.__self__ is random._inst for f in functions)
        """
    )


def test_module_draws_what_the_games_own_generator_draws() -> None:
    run(
        """
        calls = [
            ("random",), ("uniform", 1, 2), ("triangular", 0, 1, 0.5),
            ("randint", 1, 6), ("randrange", 10), ("getrandbits", 70),
            ("randbytes", 9), ("choice", "abc"), ("choices", "abc", [1, 2, 3]),
            ("sample", range(100), 5), ("gauss", 0, 1), ("gauss", 0, 1),
            ("normalvariate", 0, 1), ("lognormvariate", 0, 1), ("expovariate", 2),
            ("vonmisesvariate", 1, 2), ("gammavariate", 2, 3), ("betavariate", 1, 2),
            ("paretovariate", 2), ("weibullvariate", 1, 2), ("gauss", 0, 1),
        ]
        expected = Random(1)
        randomness.switch(one)
        for name, *arguments in calls:
            drawn = getattr(random, name)(*arguments)
            assert drawn == getattr(expected, name)(*arguments), name
        mine, theirs = list(range(20)), list(range(20))
        random.shuffle(mine)
        expected.shuffle(theirs)
        assert mine == theirs
        assert one.rng.random() == expected.random()
        """
    )


def test_games_in_turn_draw_what_they_draw_alone() -> None:
    run(
        """
        from random import choice, gauss
        def draw():
            return gauss(0, 1), choice(range(1000)), random.random()
        expected = {}
        for game in one, two:
            own = game._arena_seed
            rng = Random(own)
            expected[game] = [
                (rng.gauss(0, 1), rng.choice(range(1000)), rng.random())
                for _ in range(9)
            ]
        drawn = {one: [], two: []}
        for game in [one, two, two, one, one, one, two] * 3:
            randomness.switch(game)
            drawn[game].append(draw())
        assert drawn[one][:9] == expected[one]
        assert drawn[two][:9] == expected[two]
        """
    )


def test_seeding_and_state_belong_to_the_game() -> None:
    run(
        """
        randomness.switch(two)
        state = random.getstate()
        first = random.random()
        randomness.switch(one)
        random.seed("mine")
        assert random.random() == Random("mine").random()
        randomness.switch(two)
        expected = Random(2)
        assert first == expected.random()
        assert random.random() == expected.random()
        random.setstate(state)
        assert random.random() == first
        """
    )


def test_generators_that_a_bot_makes_are_its_own() -> None:
    run(
        """
        import importlib
        randomness.switch(one)
        expected = importlib.import_module("_random").Random(7).random()
        assert Random(7).random() == random.Random(7).random() == expected
        assert 0.0 <= random.SystemRandom().random() < 1.0
        assert one.rng.random() == Random(1).random()
        """
    )


def test_numpy_is_seeded_wherever_it_is_imported() -> None:
    run(
        """
        randomness.switch(one)
        assert "numpy.random" not in sys.modules
        from numpy.random import normal
        import numpy
        first = normal()
        assert first == numpy.random.RandomState(1).normal()
        randomness.switch(two)
        assert normal() == numpy.random.RandomState(2).normal()
        """
    )


def test_numpy_draws_from_the_game() -> None:
    run(
        """
        import numpy
        def alone(game):
            generator = numpy.random.RandomState(game._arena_seed)
            return [generator.normal() for _ in range(6)]
        drawn = {one: [], two: []}
        for game in [one, two, two, one] * 3:
            randomness.switch(game)
            drawn[game].append(numpy.random.normal())
        assert drawn == {one: alone(one), two: alone(two)}

        # Seeded by one game it stays seeded in that one.
        three, four = bot(3), bot(2**32 + 4)
        randomness.switch(three)
        numpy.random.seed(99)
        randomness.switch(four)
        assert numpy.random.rand() == numpy.random.RandomState(4).rand()
        randomness.switch(three)
        assert numpy.random.rand() == numpy.random.RandomState(99).rand()

        # The next game of a slot starts afresh.
        randomness.forget(three)
        again = bot(3)
        randomness.switch(again)
        assert numpy.random.rand() == numpy.random.RandomState(3).rand()
        assert random.random() == Random(3).random()
        expected = numpy.random.RandomState(5).rand()
        for _ in range(50):
            # It may come to lie where one lay that is over.
            game = bot(5)
            randomness.switch(game)
            assert numpy.random.rand() == expected
            randomness.forget(game)
        """
    )
