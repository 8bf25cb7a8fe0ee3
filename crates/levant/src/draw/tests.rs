//! Tests of the whole picture.
