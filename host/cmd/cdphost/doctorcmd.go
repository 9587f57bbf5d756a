package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"time"

	"cdphost/host/config"
	"cdphost/host/doctor"
	"cdphost/host/endpoint"
	"cdphost/host/link"
	"cdphost/host/plugin"
	"cdphost/host/server/control"

	"github.com/hashicorp/go-hclog"
	"github.com/spf13/cobra"
)

func doctorCommand(file *string) *cobra.Command {
	var f operatorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check the browser, the configuration, the plugins and what else the host needs",
		Long:  "Says for each what is wrong and what to do. Ends with code 1 when something would not work.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := doctor.Run(cmd.Context(), checks(*file))
			if err := show(cmd, &f, findings, func(w io.Writer) { printFindings(w, findings) }); err != nil {
				return err
			}
			if !doctor.Healthy(findings) {
				return silentError{errors.New("something needs to be done")}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

var marks = map[doctor.Status]string{doctor.OK: "✓", doctor.Warning: "!", doctor.Failed: "✗", doctor.Skipped: "-"}

func printFindings(w io.Writer, findings []doctor.Finding) {
	for _, f := range findings {
		fmt.Fprintf(w, "%s %s\t%s\n", marks[f.Status], f.Check, f.Found)
		if f.Do != "" {
			fmt.Fprintf(w, "\t→ %s\n", f.Do)
		}
	}
}

// checks are in the order in which a person would look.
func checks(file string) []doctor.Check {
	cfg, loadErr := config.Load(file)
	list := []doctor.Check{
		{Name: "version", Run: func(context.Context) (doctor.Finding, error) {
			return doctor.Finding{Status: doctor.OK, Found: fmt.Sprintf("cdphost %s, %s, %s/%s", version+buildRevision(), runtime.Version(), runtime.GOOS, runtime.GOARCH)}, nil
		}},
		{Name: "config", Run: func(context.Context) (doctor.Finding, error) { return configFinding(cfg), loadErr }},
	}
	if loadErr != nil {
		return list
	}
	return append(list,
		doctor.Check{Name: "browser", Run: func(ctx context.Context) (doctor.Finding, error) { return checkBrowser(ctx, cfg) }},
		doctor.Check{Name: "sandbox", Run: func(context.Context) (doctor.Finding, error) { return checkSandbox(cfg), nil }},
		doctor.Check{Name: "plugins", Run: func(ctx context.Context) (doctor.Finding, error) { return checkPlugins(ctx, cfg) }},
		doctor.Check{Name: "bridge", Run: func(context.Context) (doctor.Finding, error) { return checkBridge(cfg), nil }},
		doctor.Check{Name: "task tool", Run: func(context.Context) (doctor.Finding, error) { return checkSubagent(cfg), nil }},
		doctor.Check{Name: "listen", Run: func(ctx context.Context) (doctor.Finding, error) { return checkListen(ctx, cfg), nil }},
		doctor.Check{Name: "run-time folder", Run: func(context.Context) (doctor.Finding, error) { return checkRuntimeDir() }},
	)
}

func configFinding(cfg *config.Config) doctor.Finding {
	if cfg == nil {
		return doctor.Finding{Do: "correct the file; docs/config.md lists every key"}
	}
	f := doctor.Finding{Status: doctor.OK, Found: cfg.File()}
	if f.Found == "" {
		f.Found = "the built-in one; no config.yaml here or in the user's folder"
	}
	var unset []string
	for _, u := range cfg.Unset() {
		unset = append(unset, u.Name)
	}
	if len(unset) > 0 {
		f.Found += "; not set in the environment: " + strings.Join(unset, ", ")
	}
	return f
}

// checkBrowser opens the configured browser for real and says what it can do.
func checkBrowser(ctx context.Context, cfg *config.Config) (doctor.Finding, error) {
	f := doctor.Finding{Status: doctor.OK}
	if !cfg.Browser.Backend.HasCDP() {
		f.Status, f.Found = doctor.Skipped, fmt.Sprintf("backend %s has no CDP; the CDP tools are not offered", cfg.Browser.Backend)
		return f, nil
	}
	if cfg.Browser.Backend == config.BackendBrowserbase {
		if cfg.Browserbase.APIKey.IsZero() {
			return doctor.Finding{Do: "set browserbase.api_key, for example through BROWSERBASE_API_KEY"}, errors.New("backend browserbase has no key")
		}
		f.Status, f.Found = doctor.Skipped, "backend browserbase; a session would be billed, so none is started"
		return f, nil
	}
	f.Do = "name the browser with browser.executable or CHROME_PATH, or install one: apt-get install chromium"
	if cfg.Browser.Backend == config.BackendCDP {
		f.Do = "start the browser with --remote-debugging-port, or correct browser.cdp_url"
	}
	spec, err := backend(cfg)
	if err != nil {
		return f, err
	}
	l, err := link.Open(ctx, spec, link.Options{Logger: hclog.NewNullLogger(), NoStandby: true})
	if err != nil {
		return f, err
	}
	defer l.Close() //nolint:errcheck // only looked at
	caps := l.Capabilities()
	f.Found, f.Do = caps.Product, ""
	if spec.Kind == endpoint.Local {
		if path, err := endpoint.FindBrowser(spec.Executable); err == nil {
			f.Found += " at " + path
		}
	}
	if len(caps.Degraded) > 0 {
		f.Status = doctor.Warning
		f.Found += "; " + strings.Join(caps.Degraded, "; ")
	}
	return f, nil
}

func checkSandbox(cfg *config.Config) doctor.Finding {
	switch {
	case cfg.Browser.Backend != config.BackendLocal:
		return doctor.Finding{Status: doctor.Skipped, Found: "no browser is launched"}
	case os.Geteuid() == 0:
		return doctor.Finding{Status: doctor.Warning, Found: "off: this is root, for whom Chromium has no sandbox", Do: "run cdphost as another user"}
	}
	for _, arg := range cfg.Browser.Args {
		if arg == "--no-sandbox" {
			return doctor.Finding{Status: doctor.Warning, Found: "off: browser.args names --no-sandbox", Do: "take it out"}
		}
	}
	return doctor.Finding{Status: doctor.OK, Found: "on"}
}

func checkPlugins(ctx context.Context, cfg *config.Config) (doctor.Finding, error) {
	f := doctor.Finding{Status: doctor.OK, Do: "cdphost config check says more"}
	m, err := plugin.New(plugin.Options{Logger: hclog.NewNullLogger()})
	if err != nil {
		return f, err
	}
	defer m.Close() //nolint:errcheck // nothing runs in it
	descriptions, err := m.Check(ctx, pluginSpecs(cfg))
	if err != nil {
		return f, explainPlugin(cfg, err)
	}
	if err := checkDescribed(cfg, descriptions); err != nil {
		return f, err
	}
	var names []string
	for _, d := range descriptions {
		names = append(names, d.Name+" "+d.Version)
	}
	f.Found, f.Do = strings.Join(names, ", "), ""
	return f, nil
}

func checkBridge(cfg *config.Config) doctor.Finding {
	name := bridgeName(cfg)
	switch {
	case name == "":
		return doctor.Finding{Status: doctor.OK, Found: "none: dialogs are native"}
	case name == string(config.BuiltinBridgeDebugger):
		return doctor.Finding{Status: doctor.OK, Found: name + ": pages run with the debugger on, which slows wasm and awaits"}
	}
	return doctor.Finding{Status: doctor.OK, Found: name}
}

func checkSubagent(cfg *config.Config) doctor.Finding {
	on, why := cfg.SubagentOn()
	if on {
		return doctor.Finding{Status: doctor.OK, Found: "offered: " + why}
	}
	return doctor.Finding{Status: doctor.OK, Found: "not offered: " + why}
}

func checkListen(ctx context.Context, cfg *config.Config) doctor.Finding {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", cfg.Server.Listen)
	if err == nil {
		_ = l.Close()
		return doctor.Finding{Status: doctor.OK, Found: cfg.Server.Listen + " is free"}
	}
	for _, i := range control.Instances(ctx, control.Dir()) {
		if i.Listen == cfg.Server.Listen {
			return doctor.Finding{Status: doctor.OK, Found: fmt.Sprintf("%s is served by cdphost %d, since %s", i.Listen, i.PID, i.Started.Format(time.DateTime))}
		}
	}
	return doctor.Finding{Status: doctor.Warning, Found: cfg.Server.Listen + " is in use by another program", Do: "choose another with server.listen or --listen; cdphost mcp needs none"}
}

func checkRuntimeDir() (doctor.Finding, error) {
	dir := control.Dir()
	f := doctor.Finding{Status: doctor.OK, Found: dir, Do: "set CDPHOST_RUNTIME_DIR to a short path that you can write to"}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return f, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return f, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		f.Do = "chmod 700 " + dir
		return f, fmt.Errorf("%s can be read by others (mode %o)", dir, info.Mode().Perm())
	}
	f.Do = ""
	return f, nil
}
