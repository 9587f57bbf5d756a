package tasks

import (
	"strconv"
	"strings"
)

var _ = solve("form", func(a *agent) {
	p := a.parts(`Register * * with the e-mail * from *, ticket *, meal *, no news, terms accepted, with the remarks in two lines "*".`)
	title := map[string]string{"day": `"Day"`, "week": `"Week"`, "none": `"None"`}
	a.fill(p[0], `"First name"`)
	a.fill(p[1], `"Last name"`)
	a.fill(p[2], `"E-mail"`)
	a.fill(p[3], `combobox "Country"`)
	a.click("radio", title[p[4]], "Ticket")
	if p[5] == "day" {
		a.click("radio", `"Day"`, "Meal")
	} else {
		a.click("radio", `"None"`)
	}
	a.click(`"Send me news"`)
	a.click(`"I accept the terms"`)
	a.fill(strings.ReplaceAll(p[6], " / ", "\n"), `"Remarks"`)
	a.click(`button "Register"`)
})

var _ = solve("validation", func(a *agent) {
	name := a.parts("Sign up as *. When*")[0]
	a.fill(name, `"User name"`)
	a.fill("longenough", `textbox "Password"`)
	a.press("Tab")
	says := a.text()
	free, digits := "", 0
	for line := range strings.Lines(says) {
		if _, after, ok := strings.Cut(line, " is taken; "); ok {
			free, _, _ = strings.Cut(after, " is free")
		}
		if _, after, ok := strings.Cut(line, "At least "); ok && strings.Contains(line, "digits") {
			digits, _ = strconv.Atoi(strings.Fields(after)[0])
		}
	}
	if free == "" || digits == 0 {
		a.t.Fatalf("the form does not object in %q", says)
	}
	a.fill(free, `"User name"`)
	password := "longenough" + strings.Repeat("7", digits)
	a.fill(password, `textbox "Password"`)
	a.fill(password, `"Repeat password"`)
	a.click(`button "Sign up"`)
})

var _ = solve("wizard", func(a *agent) {
	p := a.parts("Apply for the plan * with * seats in *; go back*")
	seats, _ := strconv.Atoi(p[1])
	a.click("radio", quoted(p[0]))
	a.click(`"Next"`)
	a.wait("Step 2")
	a.click(`"Back"`)
	a.uid("radio", quoted(p[0]), "checked")
	a.click(`"Next"`)
	a.wait("Step 2")
	more := a.uid(`"More seats"`)
	for range seats - 1 {
		a.do(obj{"type": "click", "uid": more})
	}
	a.click(`"Next"`)
	a.wait("Step 3")
	a.fill(p[2], `"City"`)
	a.click(`"Apply"`)
})

var _ = solve("autocomplete", func(a *agent) {
	city := a.parts("Choose the airport * from the suggestions and confirm.")[0]
	a.fill(city[:3], `"Airport"`)
	a.do(obj{"type": "wait_for", "selector": "[role=option]"})
	a.click("option", quoted(city))
	a.click(`"Confirm"`)
})

var _ = solve("autocomplete-keys", func(a *agent) {
	want := a.parts("With the keyboard alone choose *.")[0]
	a.press("Tab")
	a.press(want[:1])
	for range 12 {
		if uids, _ := a.all("option", quoted(want), "selected"); len(uids) == 1 {
			break
		}
		a.press("ArrowDown")
	}
	a.press("Enter")
})

var _ = solve("dates", func(a *agent) {
	p := a.parts("Ask for leave from * to *, back at *, call at *, payroll *, planned in *.")
	for i, name := range []string{"From", "To", "Back at work", "Call me at", "Payroll month", "Planned in week"} {
		a.fill(p[i], quoted(name))
	}
	a.click(`"Ask for leave"`)
})

var _ = solve("colour", func(a *agent) {
	p := a.parts("Paint the wall * and the door * with gloss *, then order.")
	a.fill(p[0], `"Wall"`)
	a.fill(p[1], `"Door"`)
	a.fill(p[2], `"Gloss"`)
	a.click(`"Order"`)
})

var _ = solve("slider", func(a *agent) {
	want, _ := strconv.Atoi(a.parts("Set the temperature to * degrees.")[0])
	a.click(`slider "Temperature"`)
	a.press("Home")
	for range (want - 5) / 5 {
		a.press("PageUp")
	}
	for range (want - 5) % 5 {
		a.press("ArrowRight")
	}
	a.uid("slider", "= "+quoted(strconv.Itoa(want)))
	a.click(`"Set"`)
})

var _ = solve("calendar", func(a *agent) {
	p := a.parts("Book an appointment on * * 2032.")
	a.click(`"Day"`)
	for range 12 {
		if strings.Contains(a.text(), p[1]+" 2032\n") || strings.Contains(a.text(), "‹ "+p[1]) {
			break
		}
		a.click(`"Next month"`)
	}
	a.click("button", quoted(p[0]+" "+p[1]))
	a.click(`"Book"`)
})

func quoted(s string) string { return `"` + s + `"` }
