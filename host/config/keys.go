package config

// elsewhere returns the full name of a key that is called name in some section,
// or "".
func elsewhere(name string) string { return "" }
