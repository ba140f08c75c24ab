# What zsh completes: a line for each command line, typed into a shell at a terminal of its own.
zmodload zsh/zpty
zpty shell zsh -f -i

# Prints what the shell writes between { and $1.
until_seen() {
    local seen= piece
    repeat 500; do
        zpty -r -t shell piece && seen+=$piece || sleep 0.02
        [[ $seen == *$1* ]] && break
    done
    print -r -- "${${seen%%$1*}##*\{}"
}

# In that shell ^X completes, shows the words that fit, and empties the line. compadd is told of all of them; where it is only asked (-O, -A, -D) nothing is added.
zpty -w shell '
PS1= ; unsetopt zle_bracketed_paste list_beep beep; autoload -Uz compinit; compinit -u -D; zstyle ":completion:*" completer _complete
compadd() {
    local -a fit
    [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] || { builtin compadd -A fit "$@"; found+=($fit); }
    builtin compadd "$@"
}
show() { found=(); zle complete-word; print -r -- "{${(oj: :)found}}""shown"; BUFFER=; }
zle -N show; bindkey "^X" show; source <(weir --completions zsh); print "{}""shown"'
until_seen '}shown' >/dev/null
for line in 'weir -f cs' 'weir --format=cl' 'weir -fdeb' 'weir -F -o js' 'weir --completions ' 'weir --help url_' 'weir --no-n' 'weir -k c1 --keyb' 'weir -F --fin' \
    'weir --out completions.z' 'weir completions.z' 'weir -k completions.z'; do
    zpty -w -n shell "$line"$'\x18'
    print -r -- "$line: $(until_seen '}shown')"
done
zpty -d shell
