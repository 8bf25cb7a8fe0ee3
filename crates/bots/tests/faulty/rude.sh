#!/bin/sh
# Does not say that it is ready.
echo whatever
exec sleep 60
