"""Mistakes for which Python can't read a file."""

from collections.abc import Iterator

from mistake import HEAD, ROLLS, Mistake, method


def _numbered(text: str) -> str:
    lines = enumerate(text.splitlines(), 1)
    return "".join(f"{number:3}  {line}".rstrip() + "\n" for number, line in lines)


def _prompted(text: str) -> str:
    lines = text.replace("\n\n\n", "\n").splitlines()
    marks = [">>>" if line[:1].strip() else "..." for line in lines]
    return "".join(f"{m} {line}\n" for m, line in zip(marks, lines, strict=True))


BOT = HEAD + ROLLS
LINES = (
    # Python 2.
    ("print without brackets", "print 'brains'", "print('brains')"),
    ("print without brackets: with %", "print '%d' % 3", "print('%d' % 3)"),
    (
        "print without brackets: behind a colon",
        "if obs.brains: print obs.brains, 'so far'",
        "if obs.brains: print(obs.brains, 'so far')",
    ),
    ("exec without brackets", "exec 'x = 1'", "exec('x = 1')"),
    (
        "comma before the name of an exception",
        "try:\n    x = 1\nexcept ValueError, e:\n    x = 2",
        "try:\n    x = 1\nexcept ValueError as e:\n    x = 2",
    ),
    (
        "exceptions without brackets",
        "try:\n    x = 1\nexcept ValueError, KeyError:\n    x = 2",
        "try:\n    x = 1\nexcept (ValueError, KeyError):\n    x = 2",
    ),
    (
        "comma behind the exception that is raised",
        "if not obs:\n    raise ValueError, 'no obs'",
        "if not obs:\n    raise ValueError('no obs')",
    ),
    ("backticks", "x = `obs.brains`", "x = repr(obs.brains)"),
    (
        "<> for !=",
        "if obs.brains <> 3: return 'roll'",
        "if obs.brains != 3: return 'roll'",
    ),
    ("number that begins with 0", "x = 007 + obs.brains", "x = 7 + obs.brains"),
    ("ur before a text", "x = ur'brains'", "x = r'brains'"),
    ("L behind a number", "x = 10L + 3", "x = 10 + 3"),
    # Other languages.
    (
        "&& or || for and, or",
        "if obs.brains && obs.rolls:\n    x = 1",
        "if obs.brains and obs.rolls:\n    x = 1",
    ),
    (
        "&& or || for and, or: beside text",
        "x = obs.brains || '||'",
        "x = obs.brains or '||'",
    ),
    ("! for not", "if !obs.brains:\n    x = 1", "if not obs.brains:\n    x = 1"),
    ("=> for >=", "if obs.brains => 3:\n    x = 1", "if obs.brains >= 3:\n    x = 1"),
    (
        "=> for >=: =! for !=",
        "while obs.brains =! obs.brains:\n    x = 1",
        "while obs.brains != obs.brains:\n    x = 1",
    ),
    ("=== for ==", "if obs.brains === 3:\n    x = 1", "if obs.brains == 3:\n    x = 1"),
    (
        "blank in an operator",
        "if obs.brains > = 3:\n    x = 1",
        "if obs.brains >= 3:\n    x = 1",
    ),
    ("blank in an operator: in a sum", "x = 1\nx + = 2", "x = 1\nx += 2"),
    ("walrus in a line of its own", "x := obs.brains", "x = obs.brains"),
    ("arrow for lambda", "f = (a, b) => a + b", "f = lambda a, b: a + b"),
    ("++ or --", "x = 1\nx++", "x = 1\nx += 1"),
    (
        "for with three parts",
        "for (int i = 0; i < 3; i++):\n    x = i",
        "for i in range(0, 3):\n    x = i",
    ),
    (
        "switch",
        "switch obs.brains:\n    case 3:\n        x = 1",
        "match obs.brains:\n    case 3:\n        x = 1",
    ),
    (
        "function of another language",
        "function more(x):\n    return x + 1",
        "def more(x):\n    return x + 1",
    ),
    ("word before a variable", "let x = 3", "x = 3"),
    ("word before a variable: a type", "int x = obs.brains", "x = obs.brains"),
    ("comment of another language", "// one more\nx = 1", "# one more\nx = 1"),
    (
        "comment of another language: behind code",
        "x = 7 // one more roll",
        "x = 7  # one more roll",
    ),
    ("comment of another language: /* */", "/* more */\nx = 1", "# more\nx = 1"),
    (
        "question mark for if and else",
        "x = obs.brains ? 'roll' : 'stop'",
        "x = 'roll' if obs.brains else 'stop'",
    ),
    (
        "word of another language",
        "if not obs:\n    throw ValueError('none')",
        "if not obs:\n    raise ValueError('none')",
    ),
    ("word of another language: new", "x = new list()", "x = list()"),
    (
        "then",
        "if obs.brains > 3 then:\n    x = 1",
        "if obs.brains > 3:\n    x = 1",
    ),
    (
        "braces around a block",
        "if (obs.brains > 3) {\n    return 'stop'\n}",
        "if (obs.brains > 3):\n    return 'stop'\n",
    ),
    (
        "braces around a block: with a colon",
        "while obs is None: {\n    return 'stop'\n}",
        "while obs is None:\n    return 'stop'\n",
    ),
    # Blocks.
    (
        "block without code",
        "if obs.brains > 3:\n    # later\nelse:\n    x = 1",
        "if obs.brains > 3:\n    # later\n    pass\nelse:\n    x = 1",
    ),
    (
        "else without its if",
        "if obs.brains:\n    x = 1\ny = 2\nelse:\n    x = 3",
        "if obs.brains:\n    x = 1\nelse:\n    x = 3\ny = 2",
    ),
    (
        "else without its if: elif behind else",
        "if obs.brains:\n    x = 1\nelse:\n    x = 3\nelif obs.rolls:\n    x = 2",
        "if obs.brains:\n    x = 1\nelif obs.rolls:\n    x = 2\nelse:\n    x = 3",
    ),
    (
        "try without except",
        "try:\n    x = obs.brains\nx = 3",
        "try:\n    x = obs.brains\nexcept ValueError:\n    x = 0\nx = 3",
    ),
    # Brackets and quotes.
    (
        "bracket left open in the line",
        "if (obs.brains > 3 and (obs.rolls > 2):\n    x = 1",
        "if (obs.brains > 3 and (obs.rolls > 2)):\n    x = 1",
    ),
    ("bracket of another kind", "x = [1, 2)", "x = [1, 2]"),
    ("bracket of another kind: twice", "x = str(obs]]", "x = str(obs)"),
    ("quotes of another kind", "x = 'roll\"", "x = 'roll'"),
    ("apostrophe in a text", "print('don't')", 'print("don\'t")'),
    ("quotes in a text", 'print("Say "brains" now")', "print('Say \"brains\" now')"),
    ("quotes left open: in brackets", "print('brains)", "print('brains')"),
    ("quotes left open: at the beginning", "print(brains')", "print('brains')"),
    (
        "\\ of Windows in a text",
        "x = 'C:\\Users\\me\\weights.txt'",
        "x = 'C:/Users/me/weights.txt'",
    ),
    ("\\ in a line", "x = 6 \\ 3", "x = 6 / 3"),
    # Names and values.
    ("missing dot", "x = obs brains + 1", "x = obs.brains + 1"),
    ("name with a blank or -", "best-roll = 3", "best_roll = 3"),
    ("name with a blank or -: a blank", "best roll = 3", "best_roll = 3"),
    ("name that begins with a number", "2nd = 3", "nd2 = 3"),
    ("number before a name", "x = 2obs.brains", "x = 2 * obs.brains"),
    ("word of Python for a name", "class = obs.brains", "class_ = obs.brains"),
    (
        "word of Python for a name: of a parameter",
        "x = dict(from=3)",
        "x = dict(from_=3)",
    ),
    (
        "one = for two: and more",
        "if obs.brains == 3 and obs.rolls = 2:\n    x = 1",
        "if obs.brains == 3 and obs.rolls == 2:\n    x = 1",
    ),
    ("value on the left of =", "5 = limit", "limit = 5"),
    ("value on the left of =: no name", "x = 1\nlen('a') = 5", "x = 1\ny = 5"),
    (
        "value on the left of =: in a call",
        "x = dict(obs.brains=3)",
        "x = dict(brains=3)",
    ),
    (
        "parameter with = before others",
        "def more(a=1, b):\n    return a",
        "def more(b, a=1):\n    return a",
    ),
    # Lines.
    (
        "missing colon: else",
        "if obs:\n    x = 1\nelse\n    x = 2",
        "if obs:\n    x = 1\nelse:\n    x = 2",
    ),
    (
        "missing colon: a semicolon",
        "if obs.brains > 3;\n    x = 1",
        "if obs.brains > 3:\n    x = 1",
    ),
    (
        "missing colon in the line",
        "if obs.brains > 3 return 'stop'",
        "if obs.brains > 3: return 'stop'",
    ),
    (
        "missing colon in the line: else",
        "while obs:\n    if obs:\n        break\n    else break",
        "while obs:\n    if obs:\n        break\n    else: break",
    ),
    ("two statements in a line", "x = 3 y = 4", "x = 3\ny = 4"),
    (
        "two statements in a line: else",
        "if obs.brains > 3: return 'stop' else: return 'roll'",
        "if obs.brains > 3: return 'stop'\nelse: return 'roll'",
    ),
    ("misspelt word of Python", "retrun 'roll'", "return 'roll'"),
    (
        "misspelt word of Python: large letters",
        "If obs.brains > 3:\n    x = 1",
        "if obs.brains > 3:\n    x = 1",
    ),
    (
        "missing in or brackets of a loop",
        "for i in range 3:\n    x = i",
        "for i in range(3):\n    x = i",
    ),
    (
        "missing in or brackets of a loop: in",
        "for i range(3):\n    x = i",
        "for i in range(3):\n    x = i",
    ),
    (
        "comparison cut in half",
        "if obs.brains > 3 and < 9:\n    x = 1",
        "if obs.brains > 3 and obs.brains < 9:\n    x = 1",
    ),
    (
        "if in a line without else",
        "return 'stop' if obs.brains > 3",
        "if obs.brains > 3: return 'stop'",
    ),
    (
        "if in a line without else: in brackets",
        "x = str('stop' if obs)",
        "x = str('stop' if obs else 'roll')",
    ),
    (
        "line that ends too early",
        "x = obs.brains +\ny = 2",
        "x = obs.brains + 1\ny = 2",
    ),
    (
        "line that ends too early: before a colon",
        "if obs.brains and:\n    x = 1",
        "if obs.brains and obs.rolls:\n    x = 1",
    ),
    ("missing comma", "x = max(obs.brains 3)", "x = max(obs.brains, 3)"),
    (
        "missing comma: at the end of a line",
        "x = {\n    'a': 1\n    'b': 2,\n}",
        "x = {\n    'a': 1,\n    'b': 2,\n}",
    ),
    ("missing comma: a colon", "x = {'a' 1}", "x = {'a': 1}"),
    ("missing =", "limit 3", "limit = 3"),
    ("sign that is there twice", "x = max(1,, 2)", "x = max(1, 2)"),
    (
        "break outside of a loop",
        "if obs.brains > 3:\n    break",
        "if obs.brains > 3:\n    return 'stop'",
    ),
    ("await", "x = await str(obs)", "x = str(obs)"),
    ("global below", "x = 1\nglobal x", "global x\nx = 1"),
    # What is no text of Python.
    ("typographic quotes", "print(“brains”)", 'print("brains")'),
    ("typographic quotes: in one place", 'print("brains”)', 'print("brains")'),
    (
        "typographic quotes: with a dash inside",
        "print(‘so – far’)",
        "print('so – far')",
    ),
    ("code left out", "x = …", "x = 3"),
    ("sign that looks like one of Python's", "x = 3 – 2", "x = 3 - 2"),
    (
        "sign that looks like one of Python's: of mathematics",
        "if obs.brains ≤ 3 × 2:\n    x = 1",
        "if obs.brains <= 3 * 2:\n    x = 1",
    ),
    (
        "sign that looks like one of Python's: of full width",
        "x = max（1，2）",
        "x = max(1,2)",
    ),
    ("invisible character", "x\u00a0= 3", "x = 3"),
    ("invisible character: in many lines", "x =\u200b 3\ny =\u200b 4", "x = 3\ny = 4"),
    ("sign that Python does not know", "x = 3 €", "x = 3"),
    ("conflict of git", "<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> theirs", "x = 2"),
    ("prompts of Python", ">>> x = 1", "x = 1"),
    ("line for a notebook", "%matplotlib inline", ""),
    ("line for a notebook: a question", "obs?", ""),
    ("line for a terminal: python", "python my_bot.py", ""),
    (
        "signs of HTML",
        "if obs.brains &gt;= 3:\n    x = 1",
        "if obs.brains >= 3:\n    x = 1",
    ),
)
BEFORE_3_12 = (
    (
        "quotes in an f-string",
        "d = {'a': 1}\nx = f'{d['a']} more'",
        "d = {'a': 1}\nx = f'{d[\"a\"]} more'",
    ),
    (
        "\\ in an f-string",
        "x = f\"{'\\n'.join(['a'])}\"",
        "y = '\\n'.join(['a'])\nx = f'{y}'",
    ),
    ("type of Python 3.12", "type Number = int", "Number = int"),
    (
        "[T] of Python 3.12",
        "def first[T](x: list[T]):\n    return x[0]",
        "def first(x: list):\n    return x[0]",
    ),
)
TOP = (
    # What stands above the class.
    (
        "from and import in another order",
        "import randint from random",
        "from random import randint",
    ),
    (
        "from and import in another order: without import",
        "from random randint",
        "from random import randint",
    ),
    ("- in the name of a module", "import my-tables", "import math"),
    (
        "two statements in a line: imports",
        "import random import math",
        "import random\nimport math",
    ),
    ("misspelt word of Python: import", "improt random", "import random"),
    (
        "missing comma: of imports",
        "from random import randint choice",
        "from random import randint, choice",
    ),
    ("line for a notebook: !", "!pip install numpy", ""),
    ("line for a terminal", "pip install numpy", ""),
    ("words around the code", "Sure! Here is a bot that plays well:", ""),
    ("prompts of Python: of IPython", "In [1]: import random", "import random"),
)
CLASS = (
    # The lines of the bot itself.
    ("base without brackets", "class Mistake(Bot):", "class Mistake Bot:"),
    ("base without brackets: a colon", "class Mistake(Bot):", "class Mistake: Bot:"),
    ("name with a blank or -: of a method", "zombie_dice(", "zombie dice("),
    ("name with a blank or -: - in a method", "zombie_dice(", "zombie-dice("),
    ("method without brackets", "zombie_dice(self, obs)", "zombie_dice[self, obs]"),
    (
        "method without brackets: none at all",
        "zombie_dice(self, obs)",
        "zombie_dice self, obs",
    ),
    (
        "method without brackets: nor parameters",
        "zombie_dice(self, obs)",
        "zombie_dice",
    ),
    (
        "self before the name of a method",
        "zombie_dice(self, obs)",
        "self.zombie_dice(obs)",
    ),
    ("missing comma: of parameters", "(self, obs)", "(self obs)"),
    ("missing colon: of a class", "(Bot):", "(Bot)"),
    ("missing colon: of a method", "(self, obs):", "(self, obs);"),
    ("missing def or class", "def zombie", "zombie"),
    ("missing def or class: class", "class Mistake", "Mistake"),
    ("missing indentation: of a method", "    def zombie", "def zombie"),
    ("missing colon: inside the bracket", "(self, obs):", "(self, obs:)"),
    ("from and import in another order: from", "from arena", "arena"),
    ("misspelt word of Python: class", "class ", "calss "),
    ("misspelt word of Python: from", "from arena", "form arena"),
)
NOTEBOOK = """\
{
 "cells": [
  {
   "cell_type": "code",
   "source": ["from arena import Bot\\n"]
  }
 ],
 "nbformat": 4,
 "nbformat_minor" 5
}
"""
OTHER_FILES = (
    ("another kind of file", b"PK\x03\x04\x14\x00\x06\x00\x08\x00word/document.xml"),
    ("another kind of file: a PDF", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"),
    (
        "another kind of file: RTF",
        b"{\\rtf1\\ansi\\ansicpg1252\n{\\fonttbl}\nfrom arena\n",
    ),
    (
        "another kind of file: of Git LFS",
        b"version https://git-lfs.github.com/spec/v1\n",
    ),
    ("compiled file", b"\xa7\r\r\n\0\0\0\0\xd8\x13\xa3f\xf7\0\0\0\xe3"),
    ("notebook for a file", NOTEBOOK.encode()),
    ("web page for a file", b"\n<!DOCTYPE html>\n<html lang='en'>\n<head></head>\n"),
    ("UTF-16", BOT.encode("utf-16")),
    ("UTF-16: without a mark", BOT.encode("utf-16-le")),
    ("no text", BOT.encode().replace(b"    ", b"   \0")),
    ("line with a coding that is wrong", b"# -*- coding: utf-88 -*-\n" + BOT.encode()),
    (
        "line with a coding that is wrong: ASCII",
        "# coding: ascii\n# für alle\n".encode() + BOT.encode(),
    ),
    (
        "other encoding than UTF-8: in a name",
        (HEAD + "    größe = 3  # für alle\n" + ROLLS).encode("latin-1"),
    ),
    (
        "other encoding than UTF-8: of Windows",
        (HEAD + "    print(“so far”)\n" + ROLLS).encode("cp1252"),
    ),
    ("fence of Markdown", f"```python\n{BOT}```\n".encode()),
    (
        "code with words around it",
        f"Here is one:\n\n```python\n{BOT}```\n\nSay if it isn't good!\n".encode(),
    ),
    ("numbers of lines", _numbered(BOT).encode()),
    ("signs of a diff", "".join(f"+{line}\n" for line in BOT.splitlines()).encode()),
    ("prompts of Python: all of a file", _prompted(BOT).encode()),
    (
        "file that begins indented",
        "".join(f"    {x}\n" for x in BOT.splitlines()).encode(),
    ),
    ("file that was cut", BOT[: BOT.index(":\n        return")].encode()),
    ("block without code: at the end", BOT[: BOT.index("        return")].encode()),
)


def _mistakes() -> Iterator[Mistake]:
    for name, bad, good in LINES:
        yield Mistake(name, _lines(bad), _lines(good))
    for name, bad, good in BEFORE_3_12:
        yield Mistake(name, _lines(bad), _lines(good), until=(3, 12))
    for name, bad, good in TOP:
        yield Mistake(name, f"{bad}\n\n{BOT}", f"{good}\n\n{BOT}")
    for name, good, bad in CLASS:
        yield Mistake(name, BOT.replace(good, bad), BOT)
    for name, data in OTHER_FILES:
        yield Mistake(name, data, BOT)


def _lines(code: str) -> str:
    return method(f"{code}\nreturn 'roll'\n")


MISTAKES = (
    *_mistakes(),
    Mistake(
        "text of Python 3.14",
        _lines("x = t'{obs.brains}'"),
        _lines("x = f'{obs.brains}'"),
    ),
    Mistake(
        "braces of an f-string",
        _lines("x = f'{obs.brains'"),
        _lines("x = f'{obs.brains}'"),
    ),
    Mistake(
        "braces of an f-string: behind the quotes",
        _lines("print(f'brains {obs.brains'})"),
        _lines("print(f'brains {obs.brains}')"),
    ),
    Mistake(
        "base without brackets: square ones",
        BOT.replace("(Bot)", "[Bot]"),
        BOT,
        until=(3, 12),
    ),
    Mistake(
        "tabs and spaces",
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n").replace(
            "        return 'roll'", "\treturn 'roll'"
        ),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "missing colon",
        method("if obs.brains\n    return 'stop'\nreturn 'roll'\n"),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "else if",
        method("if obs.brains:\n    return 'stop'\nelse if obs.feet:\n    return 1\n"),
        method(
            "if obs.brains:\n    return 'stop'\nelif obs.rolls:\n    return 'roll'\n"
        ),
    ),
    Mistake(
        "missing indentation",
        method("if obs.brains:\nreturn 'stop'\n"),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "indentation for nothing",
        method("best = 'roll'\n    return best\n"),
        method("best = 'roll'\nreturn best\n"),
    ),
    Mistake(
        "indentation of no line above",
        method("if obs.brains:\n    return 'stop'\n  return 'roll'\n"),
        method("if obs.brains:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "one = for two",
        method("if obs.brains = 3:\n    return 'stop'\nreturn 'roll'\n"),
        method("if obs.brains == 3:\n    return 'stop'\nreturn 'roll'\n"),
    ),
    Mistake(
        "bracket left open",
        method("best = max(obs.brains, 1\nreturn 'roll'\n"),
        method("best = max(obs.brains, 1)\nreturn 'roll'\n"),
    ),
    Mistake(
        "bracket never opened",
        method("best = max(obs.brains, 1))\nreturn 'roll'\n"),
        method("best = max(obs.brains, 1)\nreturn 'roll'\n"),
    ),
    Mistake(
        "quotes left open",
        method("return 'roll\n"),
        method("return 'roll'\n"),
    ),
    Mistake(
        "return outside of a method",
        "from arena import Bot\n\n\nclass Mistake(Bot):\n"
        "    def zombie_dice(self, obs):\n        print(obs.brains)\nreturn 'roll'\n",
        "from arena import Bot\n\n\nclass Mistake(Bot):\n"
        "    def zombie_dice(self, obs):\n        return 'roll'\n",
    ),
    Mistake(
        "other encoding than UTF-8",
        method("print('öfter')\nreturn 'roll'\n").encode("latin-1"),
        method("print('öfter')\nreturn 'roll'\n"),
    ),
)
