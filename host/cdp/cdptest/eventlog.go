package cdptest

// eventKeep is how many events a client keeps: enough for a long test, bounded for a flood.
const eventKeep = 1 << 16

// eventLog is the tail of the events that a client received. Its owner locks.
type eventLog struct {
	seq     int // messages received, answers included
	events  []Event
	changed chan struct{} // closed at the next event; nil while nobody waits
}

// add files an event as the next message.
func (l *eventLog) add(e Event) {
	e.Seq = l.skip()
	if len(l.events) == eventKeep {
		l.events = append(l.events[:0], l.events[eventKeep/2:]...)
	}
	l.events = append(l.events, e)
	l.wake()
}

// skip counts a message that is no event and returns its place.
func (l *eventLog) skip() int {
	l.seq++
	return l.seq
}

// wait returns a channel that is closed at the next event.
func (l *eventLog) wait() <-chan struct{} {
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.changed
}

func (l *eventLog) wake() {
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
}

// after returns the kept events that came after message seq. The slice may be read, not kept.
func (l *eventLog) after(seq int) []Event {
	i := len(l.events)
	for i > 0 && l.events[i-1].Seq > seq {
		i--
	}
	return l.events[i:]
}
