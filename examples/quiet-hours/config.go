package main

import (
	"errors"
	"fmt"
	"time"
	_ "time/tzdata" // zones have their names on machines without a database, too

	"cdphost/sdk"
)

type config struct {
	// From and To are times of the day as "22:00"; "24:00" is the end of the day.
	From string `json:"from"`
	To   string `json:"to"`
	// TimeZone is an IANA name, "UTC" or "Local".
	TimeZone string `json:"time_zone"`
	// Do is what happens to dialogs in between: accept or dismiss.
	Do string `json:"do"`
}

// Validate is called by the SDK; the host shows each error with its line.
func (c *config) Validate() error {
	_, err := c.hours()
	return errors.Join(err, sdk.OneOf("do", c.Do, "accept", "dismiss"))
}

// hours are the quiet ones.
type hours struct {
	from, to time.Duration // since midnight
	zone     *time.Location
}

func (c *config) hours() (hours, error) {
	from, errFrom := timeOfDay("from", c.From)
	to, errTo := timeOfDay("to", c.To)
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		err = &sdk.ConfigError{Path: "time_zone", Message: fmt.Sprintf("%q is no time zone such as \"Europe/Berlin\"", c.TimeZone)}
	}
	return hours{from, to, zone}, errors.Join(errFrom, errTo, err)
}

func timeOfDay(path, s string) (time.Duration, error) {
	if s == "24:00" {
		return 24 * time.Hour, nil
	}
	t, err := time.Parse("15:04", s)
	if err != nil {
		return 0, &sdk.ConfigError{Path: path, Message: fmt.Sprintf("%q is no time of the day such as \"22:00\"", s)}
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, nil
}

// contain reports whether t is within the hours, which may go over midnight.
func (h hours) contain(t time.Time) bool {
	t = t.In(h.zone)
	at := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute
	if h.from <= h.to {
		return h.from <= at && at < h.to
	}
	return at >= h.from || at < h.to
}
