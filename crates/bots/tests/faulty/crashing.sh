#!/bin/sh
# Ends at its first decision.
echo ready
while read -r word rest; do
    [ "$word" = go ] && exit 3
done
