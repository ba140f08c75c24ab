# What bash completes: a line for each command line, the last word of which is being typed.
source <(weir --completions bash)
try() {
    COMP_WORDS=(weir "$@") COMP_CWORD=$# COMPREPLY=(stale)
    _weir
    echo "$*: ${COMPREPLY[*]}"
}
complete -p weir
try -f cs
try -F --format cl
try --format = deb
try --completions =
try -o js
try --completions ''
try --help url_
try --help js
try --no-n
try -F --keyb
try -k c1 -k
try acc
try -w ''
try -f nosuch

# every flag of --help, and no other long one
COMP_WORDS=(weir -) COMP_CWORD=1
_weir
flags=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
diff <(grep -e -- <<<"$flags") <(weir --help | grep -e '^  -' -e '^      ' | grep -oe '--[a-z-]*' | sort)
comm -13 <(echo "$flags") <(weir --help | grep -oe '^  -[a-zA-Z]' | tr -d ' ' | sort)
