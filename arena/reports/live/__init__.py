"""The live page: what a league is at while it is played, written again and again.

`process`: the writer as the league sees it; `writer`: what runs in that process;
`board`: what the page says; `watching`: the game it shows; `page`: its files.
"""
