//go:build !extra

package frames

// loopFrames is how many frames a loop makes.
const loopFrames = 300
