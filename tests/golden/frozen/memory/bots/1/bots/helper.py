def last(actions):
    return actions[-1]
