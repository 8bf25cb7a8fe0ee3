#!/bin/sh
# Answers something that is no choice.
echo ready
while read -r word rest; do
    [ "$word" = go ] && echo maybe
done
