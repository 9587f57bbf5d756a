package plugin

import "time"

// killGrace is how long go-plugin's graceful end may take before the process
// group is killed.
const killGrace = 1500 * time.Millisecond

// close ends the process: go-plugin's own way first, then SIGKILL to the group.
// It returns when the process has been reaped.
func (k *link) close() {
	killed := make(chan struct{})
	go func() {
		defer close(killed)
		k.client.Kill()
	}()
	if k.process == nil {
		if k.conn != nil {
			_ = k.conn.Close()
		}
		k.joined.close()
		<-killed
		return
	}
	timer := time.NewTimer(killGrace)
	defer timer.Stop()
	select {
	case <-killed:
	case <-k.process.exited:
	case <-timer.C:
	}
	k.process.kill()
	<-killed
	if k.process.PID() != 0 {
		<-k.process.exited
	}
}
