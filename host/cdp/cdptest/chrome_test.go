package cdptest_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"cdphost/host/cdp/cdptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(cdptest.Main(m)) }

func TestChromeIsEndedWithItsProfile(t *testing.T) {
	t.Parallel()
	b, err := cdptest.StartChrome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := cdptest.Dial(t, b.WSURL)
	if got := cdptest.Field(c.Must(t, "", "Browser.getVersion", nil), "protocolVersion"); got != "1.3" {
		t.Errorf("protocolVersion = %q", got)
	}
	for range 2 {
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	<-c.Done()
	if _, err := os.Stat(b.Profile); !os.IsNotExist(err) {
		t.Errorf("profile is still there: %v", err)
	}
}

func TestSharedChromeServesTestHosts(t *testing.T) {
	t.Parallel()
	site := cdptest.Site(t, cdptest.Hosts{
		"a.test": cdptest.Paths{"/": `<title>A</title><iframe src="http://b.test:{{port}}/"></iframe>`},
		"*":      cdptest.Paths{"/": `<title>B</title>`},
	})
	tab := cdptest.NewContext(t, cdptest.SharedChrome(t)).NewTab(t)
	tab.Navigate(t, site.URL("a.test", "/"))
	if got := tab.Eval(t, "document.title"); got != "A" {
		t.Errorf("title = %q", got)
	}
}
