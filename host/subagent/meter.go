package subagent

import "fmt"

// meter counts what a run has used against its budget.
type meter struct {
	budget  Budget
	actions int
	usage   Usage
}

// actionsLeft is -1 when there is no limit.
func (m *meter) actionsLeft() int {
	if m.budget.Actions <= 0 {
		return -1
	}
	return max(m.budget.Actions-m.actions, 0)
}

// tokensLeft is -1 when there is no limit.
func (m *meter) tokensLeft() int64 {
	if m.budget.Tokens <= 0 {
		return -1
	}
	return max(m.budget.Tokens-m.usage.Total(), 0)
}

// fewActions is where the model is told to come to an end.
const fewActions = 5

// note tells the model when its actions run out; "" while there are enough.
func (m *meter) note() string {
	left := m.actionsLeft()
	switch {
	case left < 0 || left > fewActions || m.budget.Actions <= fewActions && left > 1:
		return ""
	case left == 0:
		return "No actions are left. Call complete with what you have."
	case left == 1:
		return "1 action is left."
	}
	return fmt.Sprintf("%d actions are left.", left)
}

// bytesPerToken is a cautious guess for text; it is used only where the
// provider does not count.
const bytesPerToken = 4

// tokensPerImage is about what providers charge for a screenshot.
const tokensPerImage = 1500

// estimate guesses the tokens of a request.
func estimate(req *Request) int64 {
	n, images := len(req.System), 0
	for _, t := range req.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for _, m := range req.Messages {
		n += len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Args)
		}
		for _, r := range m.Results {
			n += len(r.Text)
			images += len(r.Images)
		}
	}
	return int64(n/bytesPerToken + images*tokensPerImage)
}

func estimateReply(m *Message) int64 {
	n := len(m.Text)
	for _, c := range m.Calls {
		n += len(c.Name) + len(c.Args)
	}
	return int64(n/bytesPerToken + 1)
}
