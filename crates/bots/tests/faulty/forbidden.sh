#!/bin/sh
# Chooses what it may not do: the first cell, whether it is free or not.
echo ready
while read -r word rest; do
    [ "$word" = go ] && echo choose a1
done
