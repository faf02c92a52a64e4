# SPDX-License-Identifier: GPL-2.0-or-later
# Installation below PREFIX; DESTDIR goes before it when a package is made.

INSTALL ?= install
MAN_PAGES := man/pa-record.1 man/pa-report.1 man/pa-rules.5 man/pa-trace.5
DOCS := README.md CHANGELOG.md $(wildcard docs/*.md)
RULES := $(wildcard docs/rules/*)
dest = $(DESTDIR)$(PREFIX)

.PHONY: install uninstall
install: all ## install below PREFIX (/usr/local), staged below DESTDIR
	$(INSTALL) -d $(dest)/bin $(dest)/share/man/man1 $(dest)/share/man/man5 $(dest)/share/doc/pa/rules
	$(INSTALL) -m 755 $(B)/pa-record $(B)/pa-report $(dest)/bin
	$(INSTALL) -m 644 $(filter %.1,$(MAN_PAGES)) $(dest)/share/man/man1
	$(INSTALL) -m 644 $(filter %.5,$(MAN_PAGES)) $(dest)/share/man/man5
	$(INSTALL) -m 644 $(DOCS) $(dest)/share/doc/pa
	$(INSTALL) -m 644 $(RULES) $(dest)/share/doc/pa/rules
	$(INSTALL) -d $(dest)/share/bash-completion/completions $(dest)/share/zsh/site-functions
	for p in pa-record pa-report; do \
		$(B)/$$p --completion=bash >$(dest)/share/bash-completion/completions/$$p && \
		$(B)/$$p --completion=zsh >$(dest)/share/zsh/site-functions/_$$p || exit 1; \
	done
uninstall: ## remove what install put there
	rm -f $(dest)/bin/pa-record $(dest)/bin/pa-report
	rm -f $(foreach page,$(MAN_PAGES),$(dest)/share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page)))
	rm -f $(foreach p,pa-record pa-report,$(dest)/share/bash-completion/completions/$p \
		$(dest)/share/zsh/site-functions/_$p)
	rm -rf $(dest)/share/doc/pa

.PHONY: deb
deb: ## a Debian package, in build/deb
	rm -rf $(B)/deb
	$(MAKE) --no-print-directory install DESTDIR=$(abspath $(B))/deb/staged PREFIX=/usr >$(if $(V),/dev/stdout,/dev/null)
	packaging/deb/build.sh $(B)/deb/staged $(VERSION) $(B)/deb
	rm -rf $(B)/deb/staged
