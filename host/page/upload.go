package page

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"cdphost/sdk/fault"
)

// errFileInput answers a click that would open a file chooser, which nobody
// could answer.
var errFileInput = fault.New(fault.SchemeBlocked, "a click on a file input opens a chooser that can't be used; type a file name from the upload folder into it instead, if the operator set one")

// upload puts files of the upload folder into a file input, one name a line.
func (r *run) upload(l *located, names string) (any, error) {
	if r.opts.UploadRoot == "" {
		return nil, fault.New(fault.SchemeBlocked, "files can't be uploaded: the operator set no upload folder")
	}
	paths, err := uploadPaths(r.opts.UploadRoot, names)
	if err != nil {
		return nil, err
	}
	w := r.worlds.get(l.frame)
	if w == nil || w.doc != l.doc {
		return nil, errOtherDocument
	}
	raw, err := r.call(w.session, "Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": "function(k,n){return globalThis[k].node(n)}",
		"executionContextId":  w.context, "arguments": []argument{{r.key}, {l.N}}, "objectGroup": r.key,
	})
	if err != nil {
		return nil, err
	}
	var object struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	if _, err := r.call(w.session, "DOM.setFileInputFiles", map[string]any{"files": paths, "objectId": object.Result.ObjectID}); err != nil {
		return nil, err
	}
	return map[string]any{"uid": r.handle(l), "files": len(paths)}, nil
}

// uploadPaths turns names into paths, none of which leaves the folder.
func uploadPaths(root, names string) ([]string, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, fault.Wrap(err, fault.InternalError, "the upload folder can't be opened")
	}
	defer func() { _ = dir.Close() }() // nothing was written
	var paths []string
	for name := range strings.Lines(names) {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		info, err := dir.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil, fault.New(fault.SchemeBlocked, "%q is no file in the upload folder", name)
		}
		full, err := filepath.EvalSymlinks(filepath.Join(root, name))
		if err != nil {
			return nil, fault.New(fault.SchemeBlocked, "%q is no file in the upload folder", name)
		}
		paths = append(paths, full)
	}
	return paths, nil
}
