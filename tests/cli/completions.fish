# What fish completes: a line for each command line.
weir --completions fish | source
for line in 'weir -f cs' 'weir --format=cl' 'weir -F -o js' 'weir --completions ' 'weir --help url_' 'weir --no-n' 'weir --out completions.f' 'weir completions.f' 'weir -k completions.f'
    echo $line: (complete -C $line | string replace \t ' # ')
end
