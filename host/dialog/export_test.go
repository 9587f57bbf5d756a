package dialog

// Floods is the number of targets that the flood breaker remembers.
func Floods(q *Queue) int { return len(q.floods) }
