// Holds the module open until its first concept is in place.
