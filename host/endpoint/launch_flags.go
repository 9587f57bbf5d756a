package endpoint

import (
	"os"
	"strings"

	"cdphost/sdk/fault"
)

// hostFlags are those that the host gives every browser it launches.
var hostFlags = []string{
	// Listen on a port that the system chooses. Chrome binds it to loopback.
	"--remote-debugging-port=0",
	// Nothing that asks a person, or that shows what no page shows.
	"--no-first-run",
	"--no-default-browser-check",
	"--disable-search-engine-choice-screen",
	"--disable-infobars",
	// No traffic but that of pages.
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--disable-default-apps",
	"--disable-client-side-phishing-detection",
	"--disable-domain-reliability",
	"--disable-field-trial-config",
	"--disable-breakpad",
	"--metrics-recording-only",
	"--no-pings",
	// Everything is seen by Fetch and goes through proxies.
	"--disable-quic",
	// Pages in the background run as fast as the one in front, a page that a
	// dialog holds is not reported as hung, and popups are opened and reported.
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-renderer-backgrounding",
	"--disable-hang-monitor",
	"--disable-popup-blocking",
}

// disabledFeatures are joined with those of the configuration, because Chrome
// reads only the last --disable-features.
var disabledFeatures = []string{
	"Translate", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider", "CertificateTransparencyComponentUpdater", "AutofillServerCommunication",
	// The address bar's two documents in each window, which is each task: no agent sees them.
	"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
}

// temporaryFlags keep a profile that lives as long as its browser away from the
// user's key store.
var temporaryFlags = []string{"--password-store=basic", "--use-mock-keychain"}

const featuresFlag = "--disable-features="

// reservedFlags would break the link to the browser if Args set them.
var reservedFlags = []string{"--remote-debugging-port", "--remote-debugging-pipe", "--remote-debugging-address", "--remote-allow-origins", "--user-data-dir"}

func checkArgs(args []string) error {
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		for _, reserved := range reservedFlags {
			if name == reserved || name == reserved[1:] {
				return fault.New(fault.InvalidArgument, "browser.args may not hold %s: the host sets it itself.", reserved)
			}
		}
	}
	return nil
}

// flags returns the whole command line after the executable. Flags of Args come
// last, because Chrome takes the last of equal names.
func flags(o LaunchOptions, profile string) []string {
	list := append([]string{}, hostFlags...)
	list = append(list, "--user-data-dir="+profile)
	if o.Profile == "" {
		list = append(list, temporaryFlags...)
	}
	if o.Headless {
		list = append(list, "--headless", "--mute-audio")
	}
	list = append(list, platformFlags(o.Headless)...)
	if os.Geteuid() == 0 {
		list = append(list, "--no-sandbox")
		sandboxOnce.Do(func() {
			o.Logger.Warn("running as root: Chromium refuses its sandbox there, so browsers get --no-sandbox; run as another user to have it")
		})
	}
	features := disabledFeatures
	for _, arg := range o.Args {
		if value, ok := strings.CutPrefix(arg, featuresFlag); ok {
			features = append(features[:len(features):len(features)], value)
			continue
		}
		list = append(list, arg)
	}
	return append(list, featuresFlag+strings.Join(features, ","), "about:blank")
}
