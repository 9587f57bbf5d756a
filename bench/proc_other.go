//go:build !linux

package main

func memory(int) (server, browser float64) { return 0, 0 }

func (b *bench) leftovers() stats { return stats{Note: "measured on Linux only"} }
