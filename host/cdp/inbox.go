package cdp

import (
	"errors"
	"io"
)

const (
	firstBuffer = 16 << 10

	// edge is how much of the start and the end of a skipped message is kept,
	// in bytes, to find out whose it was.
	edge = 512
)

// inbox reads one message after another into the same buffer.
type inbox struct {
	limit int64 // longest message, in bytes
	buf   []byte
}

// skipped is what is known of a message that was over the limit.
type skipped struct {
	size       int64
	head, tail []byte
}

// next reads r to its end. The message is valid until the next call, unless
// release gives the buffer away. It returns a skipped message instead of one
// that is over the limit.
func (b *inbox) next(r io.Reader) ([]byte, *skipped, error) {
	if cap(b.buf) > keepBuffer {
		b.buf = nil
	}
	var n, idle int
	for {
		if n == len(b.buf) {
			if int64(n) > b.limit {
				s, err := b.skip(r)
				return nil, s, err
			}
			b.grow()
		}
		m, err := r.Read(b.buf[n:])
		n += m
		switch {
		case errors.Is(err, io.EOF) && int64(n) <= b.limit:
			return b.buf[:n], nil, nil
		case err != nil && !errors.Is(err, io.EOF):
			return nil, nil, err
		}
		if idle++; m > 0 {
			idle = 0
		} else if idle > 100 {
			return nil, nil, io.ErrNoProgress
		}
	}
}

// grow makes room for more, up to one byte over the limit.
func (b *inbox) grow() {
	size := max(2*len(b.buf), firstBuffer)
	if int64(size) > b.limit {
		size = int(b.limit) + 1
	}
	grown := make([]byte, size)
	copy(grown, b.buf)
	b.buf = grown
}

// release gives the buffer to whoever keeps the last message.
func (b *inbox) release() { b.buf = nil }

// skip reads on to the end of a message whose start fills the buffer, and frees
// the buffer first.
func (b *inbox) skip(r io.Reader) (*skipped, error) {
	s := &skipped{
		size: int64(len(b.buf)),
		head: append([]byte(nil), b.buf[:min(edge, len(b.buf))]...),
		tail: append([]byte(nil), b.buf[max(0, len(b.buf)-edge):]...),
	}
	b.buf = nil
	chunk := make([]byte, 32<<10)
	for idle := 0; idle <= 100; idle++ {
		m, err := r.Read(chunk)
		if m > 0 {
			idle = 0
			s.size += int64(m)
			s.tail = append(s.tail, chunk[max(0, m-edge):m]...)
			s.tail = append(s.tail[:0], s.tail[max(0, len(s.tail)-edge):]...)
		}
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, io.ErrNoProgress
}
