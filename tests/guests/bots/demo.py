import zombiedice

zombiedice.demo()
