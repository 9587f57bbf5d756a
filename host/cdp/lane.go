package cdp

// lane is a first-in, first-out list of calls. Calls that were settled while
// they waited stay in it until their turn.
type lane struct {
	head, tail *call
	len        int
}

func (l *lane) push(k *call) {
	if l.tail == nil {
		l.head = k
	} else {
		l.tail.next = k
	}
	l.tail = k
	l.len++
}

// pop returns the next call that still waits, or nil. It needs Conn.mu.
func (l *lane) pop() *call {
	for k := l.head; k != nil; k = l.head {
		if l.head = k.next; l.head == nil {
			l.tail = nil
		}
		k.next = nil
		l.len--
		if k.state == queued {
			return k
		}
	}
	return nil
}
