package config

// failAt reports a mistake at the place of a key, or of the nearest key above it
// that has one.
func (d *decoder) failAt(path string, e Error) {
	at := d.config.ErrorAt(path, "%s", e.Problem)
	at.Suggestion, at.Allowed = e.Suggestion, e.Allowed
	d.report(at)
}

// report adds a mistake unless the key has one already, of which this one may be
// the consequence.
func (d *decoder) report(e *Error) {
	if !d.failed[e.Path] {
		d.add(e)
	}
}

func (d *decoder) add(e *Error) {
	d.errs = append(d.errs, e)
	d.failed[e.Path] = true
}
