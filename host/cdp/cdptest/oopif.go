package cdptest

import "slices"

// add makes a child frame and sends it to a URL.
func (f *Frame) add(url string) *Frame {
	child := &Frame{s: f.s, id: f.s.newID('A'), parent: f, target: f.target, loader: f.s.newID('1')}
	f.children = append(f.children, child)
	child.newContext()
	t := f.target
	t.emit("Page.frameAttached", M{"frameId": child.id, "parentFrameId": f.id})
	child.lifecycle("init")
	t.emit("Page.frameRequestedNavigation", M{
		"frameId": child.id, "reason": "initialFrameNavigation", "url": url, "disposition": "currentTab",
	})
	child.navigate(url)
	return child
}

// navigate takes a child frame to a URL, in whatever process that lives.
func (f *Frame) navigate(url string) {
	loader := f.s.newID('1')
	f.target.emit("Page.frameStartedNavigating", M{
		"frameId": f.id, "url": url, "loaderId": loader, "navigationType": "differentDocument",
	})
	f.target.emit("Page.frameStartedLoading", M{"frameId": f.id})
	doc := f.s.document(url)
	remote := !inherits(url) && siteOf(url) != f.parent.site()
	switch {
	case remote && !f.isRemote():
		f.leave(url, loader, doc)
	case remote:
		f.shutDialogs()
		f.dropBelow()
		f.target.process = f.s.processFor(f, siteOf(url))
		f.commit(url, loader, doc)
	case f.isRemote():
		f.shutDialogs()
		f.comeBack()
		f.commit(url, loader, doc)
	default:
		f.shutDialogs()
		f.dropBelow()
		f.target.emit("Runtime.executionContextDestroyed", M{
			"executionContextId": f.contextID, "executionContextUniqueId": f.uniqueID,
		})
		f.commit(url, loader, doc)
	}
}

// leave gives a frame a target of its own, which commits the document when it is released.
func (f *Frame) leave(url, loader string, doc Document) {
	t := &target{s: f.s, id: f.id, kind: kindIframe, context: f.page().context, root: f}
	t.process = f.s.processFor(f, siteOf(url))
	f.s.targets = append(f.s.targets, t)
	f.own = t
	h := &hold{start: func() {
		if f.gone || t.gone {
			return
		}
		f.dropBelow()
		f.target, f.swapping = t, true
		f.commit(url, loader, doc)
	}}
	t.announce(h)
	if t.hold == nil {
		h.start()
	}
}

// comeBack takes a frame into its parent's renderer.
func (f *Frame) comeBack() {
	f.dropBelow()
	f.own.destroy()
	f.target, f.own = f.parent.target, nil
	f.target.emit("Page.frameAttached", M{"frameId": f.id, "parentFrameId": f.parent.id})
}

// shutDialogs dismisses the dialogs of a frame that navigates.
func (f *Frame) shutDialogs() {
	for _, d := range slices.Clone(f.page().dialogs) {
		if d.frame == f {
			d.shut(false, "")()
		}
	}
}

// dropBelow forgets the frames of a document that goes.
func (f *Frame) dropBelow() {
	for _, child := range f.children {
		child.dropBelow()
		child.gone = true
		if child.own != nil {
			child.own.destroy()
		}
	}
	f.children = nil
}
