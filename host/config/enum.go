package config

// enum is a string type with a closed set of values.
type enum interface{ values() []string }

func enumValues[T ~string](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
