"""Every two entries against each other, where Elo is one number for each.

`meetings`: their games by fixture, for the `crosstable` and for `duels` (pass marks).
`residuals`: their scores less those that the fit expects; `lack_of_fit` tests these,
`intransitivity` names cycles, `nash` rates the entries then.
`surprises`: pairs whose games differ from what all others say of the two.
"""
