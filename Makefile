# weir: the one Makefile. A new .c file is no edit here.
#
#   make          build ./weir                    make check    set up, then every test
#   make demo     set up, build, show it          make lint     style, includes, analysers, manual
#   make bench    ratios against other tools      make install  PREFIX=/usr/local DESTDIR=
#   make asan ubsan valgrind                      every test with a sanitizer
#   make fuzz [TIME=600]                          each fuzz target, seconds each
#   make chains [FIRST=1 COUNT=100000]            random chains against SQLite, then with windows
#   make static deb brew                          build/static/weir, build/weir_*.deb, build/weir.rb; make check-packages tries them
#   make dist clean uninstall man deps

CC ?= cc
PREFIX ?= /usr/local
VERSION := 0.1.0
B ?= build/release
OPT ?= -O2
WARN := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings
CFLAGS ?= $(OPT) -g
ALL_CFLAGS := -std=c11 -D_GNU_SOURCE -D_DARWIN_C_SOURCE -I. $(WARN) -DWEIR_VERSION='"$(VERSION)"' $(CFLAGS)
LDLIBS := -lpcre2-8 -lxxhash -lm

LIB := $(filter-out main.c,$(wildcard *.c core/*.c parse/*.c parse/*/*.c ops/*.c ops/*/*.c))
OBJ := $(LIB:%.c=$(B)/%.o)
UNITS := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/t_*.c))
HELP_OBJ := $(patsubst %.c,$(B)/%.o,$(filter-out $(wildcard tests/unit/t_*.c),$(wildcard tests/unit/*.c)))
CHAINS := $(patsubst %.c,$(B)/%.o,$(wildcard tests/property/*.c))
FUZZERS := $(patsubst tests/fuzz/%.c,build/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

all: $(B)/weir
	@[ $(B) != build/release ] || ln -sf $(B)/weir weir

$(B)/weir: $(B)/main.o $(B)/libweir.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/libweir.a: $(OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/unit/%: tests/unit/%.c $(HELP_OBJ) $(B)/libweir.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -Itests $(LDFLAGS) -o $@ $< $(HELP_OBJ) $(B)/libweir.a $$(pkg-config --libs check) $(LDLIBS)

$(B)/chains: $(CHAINS) $(B)/libweir.a
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lsqlite3 $(LDLIBS)

-include $(OBJ:.o=.d) $(B)/main.d $(UNITS:=.d) $(HELP_OBJ:.o=.d) $(CHAINS:.o=.d)

# ---- for users

demo:
	@tests/deps
	@$(MAKE) --no-print-directory -s all
	@tests/demo

deps:
	@tests/deps all

man:
	@man -l man/weir.1

# Where shells look for what completes a command.
BASH_FILE := share/bash-completion/completions/weir
ZSH_FILE := share/zsh/site-functions/_weir
FISH_FILE := share/fish/vendor_completions.d/weir.fish

install: all
	install -D -m 755 $(B)/weir $(DESTDIR)$(PREFIX)/bin/weir
	install -D -m 644 man/weir.1 $(DESTDIR)$(PREFIX)/share/man/man1/weir.1
	install -D -m 644 LICENSE $(DESTDIR)$(PREFIX)/share/licenses/weir/LICENSE
	$(B)/weir --completions bash | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/$(BASH_FILE)
	$(B)/weir --completions zsh | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/$(ZSH_FILE)
	$(B)/weir --completions fish | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/$(FISH_FILE)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/weir $(DESTDIR)$(PREFIX)/share/man/man1/weir.1
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(BASH_FILE) $(ZSH_FILE) $(FISH_FILE))
	rm -rf $(DESTDIR)$(PREFIX)/share/licenses/weir

clean:
	rm -rf build weir

dist:
	@mkdir -p build
	git archive --prefix=weir-$(VERSION)/ -o build/weir-$(VERSION).tar.gz HEAD

# One binary that needs no library.
static:
	@$(MAKE) --no-print-directory B=build/static LDFLAGS='$(LDFLAGS) -static' all

deb: all
	@packaging/deb $(VERSION)

# build/weir.rb: URL is where the tarball of `make dist` will lie.
brew: dist
	@sed -e 's|@URL@|$(or $(URL),file://$(CURDIR)/build/weir-$(VERSION).tar.gz)|' -e 's|@VERSION@|$(VERSION)|' \
		-e "s|@SHA256@|$$(sha256sum build/weir-$(VERSION).tar.gz | cut -d' ' -f1)|" packaging/weir.rb.in >build/weir.rb

check-packages:
	@tests/packages

# ---- tests

check: deps
	@$(MAKE) --no-print-directory -s -j2 all tests-build
	@$(MAKE) --no-print-directory -s tests-run

tests-build: $(UNITS) $(B)/chains

# What there is to run, over the binaries in $(B); fails if any part fails, but runs them all.
tests-run: tests-build $(B)/weir
	@failed=; \
	tests/run-unit $(UNITS) || failed="$$failed unit"; \
	$(B)/chains 1 $(or $(COUNT),2000) || failed="$$failed chains"; \
	$(B)/chains -w 1 $(or $(COUNT),2000) || failed="$$failed windowed-chains"; \
	WEIR=$(B)/weir tests/run-cases || failed="$$failed cases"; \
	WEIR=$(B)/weir tests/run-examples || failed="$$failed examples"; \
	WEIR=$(B)/weir tests/run-questions || failed="$$failed questions"; \
	[ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

chains: $(B)/chains
	$(B)/chains $(or $(FIRST),1) $(or $(COUNT),100000)
	$(B)/chains -w $(or $(FIRST),1) $(or $(COUNT),100000)

asan:
	@ASAN_OPTIONS=detect_leaks=1 $(MAKE) --no-print-directory B=build/asan CFLAGS='-O1 -g -fsanitize=address -fno-omit-frame-pointer' COUNT=$(or $(COUNT),300) tests-run

ubsan:
	@UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 $(MAKE) --no-print-directory B=build/ubsan CFLAGS='-O1 -g -fsanitize=undefined -fno-sanitize-recover=all' COUNT=$(or $(COUNT),300) tests-run

valgrind: tests-build
	@tests/run-valgrind $(B) $(UNITS)

build/fuzz/%: tests/fuzz/%.c $(LIB)
	@mkdir -p $(@D)
	clang $(filter-out -Wlogical-op,$(ALL_CFLAGS)) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o $@ $< $(LIB) $(LDLIBS)

fuzz: $(FUZZERS)
	@tests/deps fuzz
	@for f in $(FUZZERS); do echo "$$f"; mkdir -p build/corpus/$${f##*/}; $$f -max_total_time=$(or $(TIME),60) -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 build/corpus/$${f##*/} 2>&1 | tail -n 4 || exit 1; done

lint: $(B)/weir
	@B=$(B) tests/lint/style
	@WEIR=$(B)/weir tests/lint/manual
	@cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,performance,portability --inline-suppr --suppressions-list=tests/lint/cppcheck.txt -I. -j2 *.c core parse ops
	@! mandoc -T lint -W style man/weir.1 2>&1 | grep -v 'outdated mandoc.db'
	@printf '%s\n' *.c core/*.c parse/*.c parse/*/*.c ops/*.c ops/*/*.c | xargs -P2 -n8 sh -c 'clang-tidy --quiet "$$@" -- -std=c11 -D_GNU_SOURCE -I. -DWEIR_VERSION=\"lint\"' _ 2>/dev/null | { ! grep -E 'warning:|error:'; }

bench: $(B)/weir
	@tests/bench/run

# For work on one module while others are in pieces: builds what compiles, then runs one test program: make one T=t_table
one:
	@mkdir -p $(B)
	@$(MAKE) -k $(OBJ) $(HELP_OBJ) >/dev/null 2>$(B).errors || true
	@rm -f $(B)/libweir.a; $(AR) rcs $(B)/libweir.a $$(ls $(OBJ) 2>/dev/null)
	@$(MAKE) --no-print-directory -o $(B)/libweir.a $(addprefix -o ,$(OBJ)) $(B)/unit/$(T) && $(B)/unit/$(T)

.PHONY: all demo deps man install uninstall clean dist static deb brew check-packages check tests-build tests-run chains asan ubsan valgrind fuzz lint bench one
