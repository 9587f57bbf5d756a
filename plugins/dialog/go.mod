module cdphost/plugins/dialog

go 1.26.0

require cdphost/sdk v0.0.0

replace cdphost/sdk => ../../sdk
