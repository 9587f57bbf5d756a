package main

import (
	"math"
	"slices"
	"time"
)

// sample is one try of a row: how long it took, or why there is no time.
type sample struct {
	took time.Duration
	fail string // "" when it did what it should
}

// stats sums up the tries of one row for one peer. Failures are counted and not
// dropped.
type stats struct {
	N        int            `json:"n"`
	Failures map[string]int `json:"failures,omitempty"`
	P50      float64        `json:"p50_ms"`
	P95      float64        `json:"p95_ms"`
	P99      float64        `json:"p99_ms"`
	// Value is what a row that is no time measures, such as bytes.
	Value float64 `json:"value,omitempty"`
	Note  string  `json:"note,omitempty"`
}

func summarise(samples []sample) stats {
	s := stats{N: len(samples)}
	var ms []float64
	for _, x := range samples {
		if x.fail != "" {
			if s.Failures == nil {
				s.Failures = map[string]int{}
			}
			s.Failures[x.fail]++
			continue
		}
		ms = append(ms, float64(x.took.Microseconds())/1000)
	}
	slices.Sort(ms)
	s.P50, s.P95, s.P99 = percentile(ms, 50), percentile(ms, 95), percentile(ms, 99)
	return s
}

// percentile is the nearest-rank percentile of sorted values, NaN-free: 0 for none.
func percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	i := int(math.Ceil(p/100*float64(len(sorted)))) - 1
	return sorted[max(i, 0)]
}

func (s stats) failed() int {
	n := 0
	for _, c := range s.Failures {
		n += c
	}
	return n
}
