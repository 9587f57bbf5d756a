// Package page is what an agent does to a page: the actions of the browser tool,
// and the list of elements that a snapshot shows.
//
// It promises that every action ends, by its deadline at the latest, with a
// result or with an error whose code says what to do next; that an action on a
// uid acts on the node that the uid was given for, or on nothing; and that input
// which a blocked page would swallow is refused instead of reported as done.
package page
