package page

import (
	"strconv"
	"strings"
)

// Keys that print, in the same order without and with Shift.
const (
	plainKeys = "`1234567890-=[]\\;',./"
	shiftKeys = "~!@#$%^&*()_+{}|:\"<>?"
)

var plainCodes = strings.Fields("Backquote Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal BracketLeft BracketRight Backslash Semicolon Quote Comma Period Slash")

var plainWindows = []int{192, 49, 50, 51, 52, 53, 54, 55, 56, 57, 48, 189, 187, 219, 221, 220, 186, 222, 188, 190, 191}

// layout finds keys by KeyboardEvent.key, byCode by KeyboardEvent.code.
var layout, byCode = makeLayout()

func makeLayout() (layout, byCode map[string]key) {
	layout, byCode = make(map[string]key), make(map[string]key)
	for i, code := range plainCodes {
		plain := key{key: plainKeys[i : i+1], code: code, windows: plainWindows[i], text: plainKeys[i : i+1]}
		layout[plain.key], byCode[code] = plain, plain
		shifted := plain
		shifted.key, shifted.text = shiftKeys[i:i+1], shiftKeys[i:i+1]
		layout[shifted.key] = shifted
	}
	for c := 'a'; c <= 'z'; c++ {
		upper := string(c - 'a' + 'A')
		plain := key{key: string(c), code: "Key" + upper, windows: int(c - 'a' + 'A'), text: string(c)}
		layout[string(c)], byCode[plain.code] = plain, plain
		shifted := plain
		shifted.key, shifted.text = upper, upper
		layout[upper] = shifted
	}
	for i := range 24 {
		name := "F" + strconv.Itoa(i+1)
		layout[name] = key{key: name, code: name, windows: 112 + i}
	}
	for _, k := range named {
		layout[k.key] = k
		byCode[k.code] = k
	}
	for i := range 10 {
		d := strconv.Itoa(i)
		byCode["Numpad"+d] = key{key: d, code: "Numpad" + d, windows: 96 + i, text: d, location: 3}
	}
	layout["Space"], layout["Esc"], layout["Return"], layout["Del"] = layout[" "], layout["Escape"], layout["Enter"], layout["Delete"]
	layout["Up"], layout["Down"], layout["Left"], layout["Right"] = layout["ArrowUp"], layout["ArrowDown"], layout["ArrowLeft"], layout["ArrowRight"]
	for _, m := range modifierKeys {
		layout[m.key.key], byCode[m.key.code] = m.key, m.key
	}
	return layout, byCode
}

var named = []key{
	{key: "Enter", code: "Enter", windows: 13, text: "\r"},
	{key: "Tab", code: "Tab", windows: 9},
	{key: "Escape", code: "Escape", windows: 27},
	{key: "Backspace", code: "Backspace", windows: 8},
	{key: "Delete", code: "Delete", windows: 46},
	{key: "Insert", code: "Insert", windows: 45},
	{key: " ", code: "Space", windows: 32, text: " "},
	{key: "ArrowLeft", code: "ArrowLeft", windows: 37},
	{key: "ArrowUp", code: "ArrowUp", windows: 38},
	{key: "ArrowRight", code: "ArrowRight", windows: 39},
	{key: "ArrowDown", code: "ArrowDown", windows: 40},
	{key: "Home", code: "Home", windows: 36},
	{key: "End", code: "End", windows: 35},
	{key: "PageUp", code: "PageUp", windows: 33},
	{key: "PageDown", code: "PageDown", windows: 34},
	{key: "CapsLock", code: "CapsLock", windows: 20},
	{key: "ContextMenu", code: "ContextMenu", windows: 93},
	{key: "Pause", code: "Pause", windows: 19},
	{key: "PrintScreen", code: "PrintScreen", windows: 44},
	{key: "ScrollLock", code: "ScrollLock", windows: 145},
	{key: "NumLock", code: "NumLock", windows: 144},
}
