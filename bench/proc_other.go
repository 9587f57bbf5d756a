//go:build !linux

package main

func serverMemory(int) float64 { return 0 }

func (b *bench) leftovers() stats { return stats{Note: "measured on Linux only"} }
