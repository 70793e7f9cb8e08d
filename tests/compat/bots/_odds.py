def worth_it(hand):
    return hand.guns == 0 or (hand.guns == 1 and hand.brains < 3)
