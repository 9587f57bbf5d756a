package capture

import (
	"encoding/json"

	"cdphost/host/cdp"
	"cdphost/sdk/fault"
)

// narrow takes from a result what is not the task's.
func (h *Handle) narrow(cmd *Command, result json.RawMessage) (json.RawMessage, error) {
	if cmd.Method != "Target.getTargets" {
		return result, nil
	}
	var r struct {
		TargetInfos []json.RawMessage `json:"targetInfos"`
	}
	if err := cdp.Unmarshal(result, &r); err != nil {
		return nil, fault.Wrap(err, fault.EndpointNotCDP, "Target.getTargets answered with something else than targets")
	}
	own := h.sup.ContextID()
	mine := []json.RawMessage{}
	for _, raw := range r.TargetInfos {
		var info struct {
			TargetID         string `json:"targetId"`
			BrowserContextID string `json:"browserContextId"`
		}
		if cdp.Unmarshal(raw, &info) != nil {
			continue
		}
		if h.sup.OwnsTarget(info.TargetID) || own != "" && info.BrowserContextID == own {
			mine = append(mine, raw)
		}
	}
	return cdp.Marshal(map[string]any{"targetInfos": mine}), nil
}
