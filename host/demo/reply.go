package demo

// The parts of replies that the story reads.

type shownDialog struct {
	ID            string `json:"id"`
	Type          string `json:"type"`
	Message       string `json:"message"`
	DefaultPrompt string `json:"default_prompt"`
	ClosedBy      string `json:"closed_by"`
	Action        string `json:"action"`
	UserInput     string `json:"user_input"`
}

type navigated struct {
	URL     string        `json:"url"`
	Status  int           `json:"status"`
	Blocked bool          `json:"blocked"`
	Pending []shownDialog `json:"pending_dialogs"`
}

type snapshot struct {
	Blocked   bool          `json:"blocked"`
	Pending   []shownDialog `json:"pending_dialogs"`
	Recent    []shownDialog `json:"recent_dialogs"`
	FrameTree struct {
		Children []shownFrame `json:"children"`
	} `json:"frame_tree"`
}

type shownFrame struct {
	ID    string `json:"frame_id"`
	URL   string `json:"url"`
	OOPIF bool   `json:"is_oopif"`
}

type answered struct {
	Dialog shownDialog `json:"dialog"`
}

type evaluated struct {
	Result struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	} `json:"result"`
}
