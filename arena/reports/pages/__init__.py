"""A league's pages: a folder of HTML that opens from a disk, without a network."""
