package frame

import (
	"slices"
	"strconv"

	"github.com/chromedp/cdproto/runtime"
)

// maxWorlds is how many isolated worlds of a frame are told. Pages can't make any;
// extensions and clients make a few.
const maxWorlds = 32

// contextRef tells where a context is.
type contextRef struct {
	frame   string
	session string
	id      int64
}

// auxData is what Chrome adds to an execution context of a frame.
type auxData struct {
	IsDefault bool   `json:"isDefault"`
	FrameID   string `json:"frameId"`
}

func (t *Table) contextCreated(sessionID string, params []byte) (Change, error) {
	var ev runtime.EventExecutionContextCreated
	if err := decode(params, &ev); err != nil {
		return Change{}, err
	}
	if ev.Context == nil || len(ev.Context.AuxData) == 0 {
		return Change{}, nil
	}
	var aux auxData
	if err := decode(ev.Context.AuxData, &aux); err != nil {
		return Change{}, err
	}
	if aux.FrameID == "" {
		return Change{}, nil // of a worker
	}
	f := t.ensure(sessionID, aux.FrameID, "")
	stale := f != nil && t.stale(sessionID, f)
	if f == nil || stale && f.before == nil {
		return Change{}, nil
	}
	id := int64(ev.Context.ID)
	key := ev.Context.UniqueID
	if key == "" {
		key = sessionID + "#" + strconv.FormatInt(id, 10)
	}
	w := World{Name: text(ev.Context.Name, nameCap), UniqueID: ev.Context.UniqueID, ID: id, key: key}
	edit := func(f *Frame) {
		if aux.IsDefault {
			delete(t.contexts, f.defaultKey)
			f.DefaultContext, f.DefaultContextID, f.defaultKey = w.UniqueID, w.ID, w.key
			if ev.Context.Origin != "" {
				f.contextOrigin = contextOrigin(ev.Context.Origin)
				f.Origin = f.contextOrigin
			}
			return
		}
		f.Worlds = slices.Clone(f.Worlds)
		if i := slices.IndexFunc(f.Worlds, func(o World) bool { return o.Name == w.Name }); i >= 0 {
			delete(t.contexts, f.Worlds[i].key)
			f.Worlds[i] = w
		} else if len(f.Worlds) < maxWorlds {
			f.Worlds = append(f.Worlds, w)
		} else {
			key = ""
		}
	}
	if stale {
		t.aside(f, edit)
	} else {
		f = t.update(f, edit)
	}
	if key != "" {
		t.contexts[key] = contextRef{frame: f.ID, session: sessionID, id: id}
	}
	return Change{Kind: Contexts, Frame: f.ID}, nil
}

func (t *Table) contextDestroyed(sessionID string, params []byte) (Change, error) {
	var ev struct {
		ID       int64  `json:"executionContextId"`
		UniqueID string `json:"executionContextUniqueId"`
	}
	if err := decode(params, &ev); err != nil {
		return Change{}, err
	}
	key := ev.UniqueID
	ref, ok := t.contexts[key]
	if !ok {
		// Older browsers tell the id alone, which is unique in the session.
		for k, r := range t.contexts {
			if ev.UniqueID == "" && r.session == sessionID && r.id == ev.ID {
				key, ref, ok = k, r, true
				break
			}
		}
	}
	if !ok {
		return Change{}, nil
	}
	t.dropContext(key, ref)
	return Change{Kind: Contexts, Frame: ref.frame}, nil
}

func (t *Table) contextsCleared(sessionID string) Change {
	if !t.clearContexts(sessionID) {
		return Change{}
	}
	return Change{Kind: Contexts, Frame: t.root(sessionID).ID}
}

// clearContexts drops all contexts of a session.
func (t *Table) clearContexts(sessionID string) (cleared bool) {
	for key, ref := range t.contexts {
		if ref.session == sessionID {
			t.dropContext(key, ref)
			cleared = true
		}
	}
	return cleared
}

func (t *Table) dropContext(key string, ref contextRef) {
	delete(t.contexts, key)
	f := t.get(ref.frame)
	if f == nil {
		return
	}
	edit := func(f *Frame) {
		if f.defaultKey == key {
			f.clearDefault()
			return
		}
		f.Worlds = slices.DeleteFunc(slices.Clone(f.Worlds), func(w World) bool { return w.key == key })
	}
	if f.before != nil && ref.session != f.SessionID {
		t.aside(f, edit)
		return
	}
	t.update(f, edit)
}

// forgetContexts drops the index of a frame's contexts.
func (t *Table) forgetContexts(f *Frame) {
	delete(t.contexts, f.defaultKey)
	for _, w := range f.Worlds {
		delete(t.contexts, w.key)
	}
	if f.before != nil {
		t.forgetContexts(f.before)
	}
}
