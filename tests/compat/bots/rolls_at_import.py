import zombiedice

first = zombiedice.roll()
zombiedice.runWebGui([zombiedice.examples.CrashZombie("x")], 100)
