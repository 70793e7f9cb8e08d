"""The results of a league for people and programs.

`results_pass` and `report`: the standings, from one pass over the games.  `games`: all
games one by one and the `highlights`, from another pass that only the pages need.
`tables/` for the terminal and Markdown, `files` for the results folder, `pages/` in
HTML, `replay/` of single games, `grading/`.  `publish`: all that `arena report` writes;
`local_server` shows it to one person.
"""
