package cdptest

// browserMethods are those of the Browser domain.
var browserMethods = map[string]method{
	"Browser.getVersion": {at: onBrowser, run: func(*session, *Request) Reply {
		return Result(M{
			"protocolVersion": "1.3", "product": product, "revision": "@0", "userAgent": userAgent, "jsVersion": jsVersion,
		})
	}},
	"Browser.close": {at: onBrowser, run: func(ses *session, req *Request) Reply {
		req.Answer(Result(nil))
		s := ses.conn.s
		for len(s.targets) > 0 {
			s.targets[0].destroy()
		}
		for _, c := range s.clients {
			c.out.finish()
		}
		return NoReply
	}},
}
