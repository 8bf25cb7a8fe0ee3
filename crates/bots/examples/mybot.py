#!/usr/bin/env python3
"""A complete bot for any game of Outremer; PROTOCOL.md says what is spoken.

It plays at random, but takes what its list of favourite words likes best. To make it cleverer, look at
`self.view` (what the seat may know, as JSON) in `choose`.
"""

import json
import random
import sys

# Words of the notation that this bot likes, the best first.
FAVOURITES = ["fire", "ambush", "go", "group"]


class Bot:
    def __init__(self):
        self.random = random.Random(1)
        self.forget()

    def forget(self):
        """A new decision begins."""
        self.view, self.scene, self.options = None, [], []

    def choose(self):
        """Returns one of the options, in the notation of the game."""

        def liking(option):
            verb = option[0].split(" ")[0]
            return FAVOURITES.index(verb) if verb in FAVOURITES else len(FAVOURITES)

        best = min(map(liking, self.options))
        notation, least, most = self.random.choice([o for o in self.options if liking(o) == best])
        if most is None:
            return notation
        # An amount: put one of the range in the place of the least.
        return notation.replace(str(least), str(self.random.randint(least, most)), 1)

    def hear(self, word, rest):
        """Takes in one line of the table; returns the answer, if it wants one."""
        if word == "hello":
            return "ready My bot 1.0"
        if word == "decide":
            self.forget()
        elif word == "view":
            self.view = json.loads(rest)
        elif word == "scene":
            self.scene.append(rest)
        elif word == "option":
            self.options.append((rest, None, None))
        elif word == "range":
            least, most, notation = rest.split(" ", 2)
            self.options.append((notation, int(least), int(most)))
        elif word == "go":
            return "choose " + self.choose()
        return None  # Everything else may be skipped.


def main():
    bot = Bot()
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        answer = bot.hear(word, rest)
        if answer is not None:
            print(answer, flush=True)
        if word == "over":
            break


if __name__ == "__main__":
    main()
