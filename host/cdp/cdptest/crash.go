package cdptest

// crash ends the target's renderer.
func (t *target) crash() {
	if t.crashed {
		return
	}
	t.crashed = true
	if t.root.parent == nil {
		for _, d := range append([]*dialog(nil), t.dialogs...) {
			d.after = nil
			d.shut(false, "")()
		}
	}
	for _, child := range t.root.children {
		t.emit("Page.frameDetached", M{"frameId": child.id, "reason": "remove"})
	}
	t.root.dropBelow()
	for _, ses := range t.sessions {
		ses.event("Inspector.targetCrashed", M{})
	}
	t.tell("Target.targetCrashed", M{"targetId": t.id, "status": "crashed", "errorCode": 5})
}

// revive gives a crashed page a renderer again. What was in flight is answered then.
func (t *target) revive() {
	lost := t.queue
	t.queue = nil
	for _, q := range lost {
		q.req.Answer(Refuse(-32000, "Target crashed"))
	}
	for _, ses := range t.sessions {
		ses.event("Inspector.targetReloadedAfterCrash", M{})
	}
}
