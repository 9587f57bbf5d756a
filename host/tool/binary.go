package tool

import "encoding/json"

// binaryFields are the fields at the top of a method's result that the browser
// itself fills with base64.
var binaryFields = map[string]string{
	"Page.captureScreenshot":                 `"data"`,
	"Page.printToPDF":                        `"data"`,
	"HeadlessExperimental.beginFrame":        `"screenshotData"`,
	"Network.getResponseBody":                `"body"`,
	"Network.getResponseBodyForInterception": `"body"`,
	"Fetch.getResponseBody":                  `"body"`,
	"IO.read":                                `"data"`,
	"Page.getResourceContent":                `"content"`,
	"LayerTree.replaySnapshot":               `"dataURL"`,
	"Audits.getEncodedResponse":              `"body"`,
}

// encodedFlag are the methods whose field is binary only when the browser says
// so with base64Encoded beside it.
var encodedFlag = map[string]bool{
	"Network.getResponseBody":                true,
	"Network.getResponseBodyForInterception": true,
	"Fetch.getResponseBody":                  true,
	"IO.read":                                true,
	"Page.getResourceContent":                true,
}

// binaryField returns the quoted name of the binary field of a result, "" when
// it has none.
func binaryField(method string, result json.RawMessage) string {
	field, ok := binaryFields[method]
	if !ok || !encodedFlag[method] {
		return field
	}
	var flag struct {
		Encoded bool `json:"base64Encoded"`
	}
	if json.Unmarshal(result, &flag) != nil || !flag.Encoded {
		return ""
	}
	return field
}
