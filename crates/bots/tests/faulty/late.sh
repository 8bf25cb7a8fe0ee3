#!/bin/sh
# Says that it is ready, and then nothing.
echo ready
exec sleep 60
