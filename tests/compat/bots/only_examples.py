from zombiedice import examples, runWebGui

zombies = (
    examples.MinNumShotgunsThenStopsZombie(name="Stop at 2", minShotguns=2),
    examples.MinNumShotgunsThenStopsZombie(name="Stop at 1", minShotguns=1),
    examples.MonteCarloZombie(name="Monte Carlo", riskiness=40, numExperiments=20),
    examples.HumanPlayerZombie(name="Me"),
)
runWebGui(zombies=zombies, numGames=1000)
