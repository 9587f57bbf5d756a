package tool

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"

	"cdphost/sdk/fault"
)

// artifactPrefix begins the URI of every artifact.
const artifactPrefix = "cdphost://artifact/"

// Artifacts keeps results that are too big for a reply, or worth keeping, in
// memory: each belongs to a caller, and the oldest of all go first when there
// are too many bytes. It is safe for concurrent use.
type Artifacts struct {
	limit int64

	mu    sync.Mutex
	byURI map[string]*artifact
	order []*artifact
	size  int64
}

type artifact struct {
	caller string
	link   Link
	data   []byte
}

// NewArtifacts makes a store of at most limit bytes.
func NewArtifacts(limit int64) *Artifacts {
	return &Artifacts{limit: limit, byURI: make(map[string]*artifact)}
}

// Put keeps data for a caller and returns the link to it. Data over the limit of
// the store is fault.ReplyTooBig.
func (a *Artifacts) Put(caller, name, mime, description string, data []byte) (Link, error) {
	size := int64(len(data))
	if size > a.limit {
		return Link{}, fault.New(fault.ReplyTooBig, "%s has %d bytes, more than the host keeps (%d).", name, size, a.limit)
	}
	kept := &artifact{caller: caller, data: data, link: Link{
		URI:  artifactPrefix + strings.ToLower(rand.Text()),
		Name: name, MIME: mime, Description: description, Size: size,
	}}
	a.mu.Lock()
	defer a.mu.Unlock()
	for a.size+size > a.limit {
		oldest := a.order[0]
		a.order = a.order[1:]
		a.size -= oldest.link.Size
		delete(a.byURI, oldest.link.URI)
	}
	a.byURI[kept.link.URI] = kept
	a.order = append(a.order, kept)
	a.size += size
	return kept.link, nil
}

// Read returns an artifact of the caller; fault.InvalidArgument for a URI that
// the caller has not, or no longer.
func (a *Artifacts) Read(_ context.Context, caller, uri string) (data []byte, mime string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	kept := a.byURI[uri]
	if kept == nil || kept.caller != caller {
		return nil, "", fault.New(fault.InvalidArgument, "There is no artifact %s; it may have made room for newer ones.", uri)
	}
	return kept.data, kept.link.MIME, nil
}
