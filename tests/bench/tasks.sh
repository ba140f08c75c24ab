#!/bin/bash
# tasks.sh - one benchmark task with one tool.
#   tasks.sh list [TASK]             what can be run
#   tasks.sh run TASK TOOL           print the answer
#   tasks.sh check TASK TOOL         run once, compare with answers/TASK.sum
#   tasks.sh bench TASK [TOOL...]    warm-up + median (by CPU) of 3 (only the first run if it takes > $ONE s, one more if > $TWO s), pinned to core $CORE; a line per tool is appended to $OUT
#   tasks.sh cold [TOOL...]          T14: ms per start, mean of $N (20) starts in a row, and peak MB; `true` is the cost of fork + exec itself
#   tasks.sh show TASK TOOL          the command
# To add weir: define functions T1_weir, T2_weir, ... below (see the end of the file).
export LC_ALL=C
HERE=$(cd "$(dirname "$0")" && pwd)
export P=${P:-/tmp/peers}; export D=${D:-$P/data}
CORE=${CORE:-1}; OUT=${OUT:-$P/raw.tsv}; TMP=${TMP:-$P/out}; mkdir -p "$TMP"
export PATH=$P/bin:$P/venv/bin:$PATH
export POLARS_MAX_THREADS=1 GOMAXPROCS=1 RAYON_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
PY=$P/venv/bin/python; [ -x "$PY" ] || PY=python3

duckdb20() { $PY "$HERE/ddb.py" "COPY ($1) TO '/dev/stdout' (FORMAT csv, DELIMITER '\t', HEADER false, QUOTE '')"; }
duckdb15() { duckdb -c "SET threads=1; SET enable_progress_bar=false; COPY ($1) TO '/dev/stdout' (FORMAT csv, DELIMITER '\t', HEADER false, QUOTE '');"; }
chdb() { $PY "$HERE/ch.py" "$1"; }
polars() { $PY "$HERE/pl.py" "$1"; }

EV="read_csv('$D/events.tsv', delim='\t', header=false, quote='', escape='', auto_detect=false, columns={'ts':'BIGINT','usr':'VARCHAR','k':'VARCHAR','amount':'DECIMAL(18,2)','status':'INT','plat':'VARCHAR','url':'VARCHAR'})"
EVIN="${EV/$D\/events.tsv//dev/stdin}"
THREE="${EV/events.tsv/three.tsv}"
BID="read_csv('$D/bids.tsv', delim='\t', header=false, quote='', escape='', auto_detect=false, columns={'auction':'BIGINT','bidder':'BIGINT','price':'BIGINT','channel':'VARCHAR','url':'VARCHAR','ts':'BIGINT'})"
CEV="file('$D/events.tsv', 'TSV', 'ts Int64, usr String, k String, amount Decimal(18,2), status Int32, plat String, url String')"
CBID="file('$D/bids.tsv', 'TSV', 'auction Int64, bidder Int64, price Int64, channel String, url String, ts Int64')"

# --- T1 count, sum(amount) by k -> k, n, sum
Q1="SELECT k, count(*), sum(amount) FROM $EV GROUP BY k"
T1_duckdb20() { duckdb20 "$Q1"; }
T1_duckdb15() { duckdb15 "$Q1"; }
T1_duckdb20stdin() { cat $D/events.tsv | duckdb20 "${Q1/"$EV"/$EVIN}"; }
T1_duckdb20float() { duckdb20 "SELECT k, count(*), round(sum(amount),2) FROM ${EV/DECIMAL(18,2)/DOUBLE} GROUP BY k"; }
T1_chdb() { chdb "SELECT k, count(), sum(amount) FROM $CEV GROUP BY k"; }
T1_polars() { polars T1; }
A1='{c[$3]++; s[$3]+=$4} END{for(k in c) printf "%s\t%d\t%.2f\n",k,c[k],s[k]}'
T1_mawk() { mawk -F'\t' "$A1" $D/events.tsv; }
T1_gawk() { gawk -F'\t' "$A1" $D/events.tsv; }
T1_frawk() { frawk -i tsv '{c[$3]++; s[$3]+=$4} END{for(k in c) { printf "%s\t%d\t%.2f\n",k,c[k],s[k]; }}' $D/events.tsv; }
T1_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output stats1 -a count,sum -f 4 -g 3 $D/events.tsv; }
T1_datamash() { datamash -s -R2 -g3 count 3 sum 4 < $D/events.tsv; }
T1_xan() { xan groupby -d '\t' -n 2 'count() as n, sum(3) as s' $D/events.tsv | xan fmt -t '\t' | tail -n +2; }
T1_ag() { agrind -f $D/events.tsv -o json '* | split on "\t" as c | count as n, sum(c[3]) as s by c[2]' | jq -r '.[]|[."c[2]",.n,.s]|@tsv'; }
T1_sqlite() { sqlite3 :memory: -cmd 'create table e(ts int,usr text,k text,amount real,status int,plat text,url text)' -cmd '.mode tabs' -cmd ".import $D/events.tsv e" 'select k,count(*),printf("%.2f",sum(amount)) from e group by k'; }
T1_floor() { floor T1 $D/events.tsv; }

# --- T1c the changelog of count by k, two lines a record (-U old, +U new; +I for the first)
T1c_mawk() { mawk -F'\t' '{n=c[$3]++; if (n) {print "-U\t" $3 "\t" n; print "+U\t" $3 "\t" n+1} else print "+I\t" $3 "\t1"}' $D/events.tsv; }

# --- T2 count by user -> user, n
Q2="SELECT usr, count(*) FROM $EV GROUP BY usr"
T2_duckdb20() { duckdb20 "$Q2"; }
T2_duckdb15() { duckdb15 "$Q2"; }
T2_chdb() { chdb "SELECT usr, count() FROM $CEV GROUP BY usr"; }
T2_polars() { polars T2; }
A2='{c[$2]++} END{for(u in c) print u "\t" c[u]}'
T2_mawk() { mawk -F'\t' "$A2" $D/events.tsv; }
T2_gawk() { gawk -F'\t' "$A2" $D/events.tsv; }
T2_frawk() { frawk -i tsv '{c[$2]++} END{for(u in c) { print u "\t" c[u]; }}' $D/events.tsv; }
T2_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output count-distinct -f 2 $D/events.tsv; }
T2_datamash() { datamash -s -g2 count 2 < $D/events.tsv; }
T2_sort() { cut -f2 $D/events.tsv | sort -S4G --parallel=1 | uniq -c | sed -E 's/^ *([0-9]+) (.*)/\2\t\1/'; }
T2_xan() { xan frequency -d '\t' -n -s 1 -A $D/events.tsv | xan fmt -t '\t' | tail -n +2 | cut -f2,3; }
T2_ag() { agrind -f $D/events.tsv -o json '* | parse "*\t*\t*" as ts, u, rest | count as n by u' | jq -r '.[]|[.u,.n]|@tsv'; }
T2_floor() { floor T2 $D/events.tsv; }

# --- T3 top 10 users by count -> user, n
T3_duckdb20() { duckdb20 "$Q2 ORDER BY 2 DESC LIMIT 10"; }
T3_duckdb15() { duckdb15 "$Q2 ORDER BY 2 DESC LIMIT 10"; }
T3_chdb() { chdb "SELECT usr, count() AS n FROM $CEV GROUP BY usr ORDER BY n DESC LIMIT 10"; }
T3_polars() { polars T3; }
T3_mawk() { mawk -F'\t' "$A2" $D/events.tsv | sort -t'	' -k2,2nr | head; }
T3_sort() { cut -f2 $D/events.tsv | sort -S4G --parallel=1 | uniq -c | sort -rn | head | sed -E 's/^ *([0-9]+) (.*)/\2\t\1/'; }
T3_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output count-distinct -f 2 then top -n 10 -f count -a then cut -f 2,count $D/events.tsv; }
T3_xan() { xan frequency -d '\t' -n -s 1 -l 10 -N $D/events.tsv | xan fmt -t '\t' | tail -n +2 | cut -f2,3; }
T3_ag() { agrind -f $D/events.tsv -o json '* | parse "*\t*\t*" as ts, u, rest | count as n by u | sort by n desc | limit 10' | jq -r '.[]|[.u,.n]|@tsv'; }

# --- T4 top 3 rows by amount per k -> k, amount, ts, user
T4_duckdb20() { duckdb20 "SELECT k, unnest(max_by(struct_pack(amount := amount, ts := ts, usr := usr), amount, 3), recursive := true) FROM $EV GROUP BY k"; }
T4_duckdb20rn() { duckdb20 "SELECT k, amount, ts, usr FROM $EV QUALIFY row_number() OVER (PARTITION BY k ORDER BY amount DESC) <= 3"; }
T4_duckdb15() { duckdb15 "SELECT k, unnest(max_by(struct_pack(amount := amount, ts := ts, usr := usr), amount, 3), recursive := true) FROM $EV GROUP BY k"; }
T4_chdb() { chdb "SELECT k, amount, ts, usr FROM $CEV ORDER BY amount DESC LIMIT 3 BY k"; }
T4_polars() { polars T4; }
T4_mawk() { mawk -F'\t' '{k=$3; v=$4+0; if (v > a3[k]) { if (v > a2[k]) { a3[k]=a2[k]; r3[k]=r2[k]; if (v > a1[k]) { a2[k]=a1[k]; r2[k]=r1[k]; a1[k]=v; r1[k]=$4 "\t" $1 "\t" $2 } else { a2[k]=v; r2[k]=$4 "\t" $1 "\t" $2 } } else { a3[k]=v; r3[k]=$4 "\t" $1 "\t" $2 } } } END{for(k in a1) { print k "\t" r1[k]; print k "\t" r2[k]; print k "\t" r3[k] } }' $D/events.tsv; }
T4_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output top -n 3 -f 4 -g 3 -a then cut -o -f 3,4,1,2 $D/events.tsv; }
T4_xan() { xan top -d '\t' -n -l 3 -g 2 3 $D/events.tsv | xan select 2,3,0,1 | xan fmt -t '\t' | tail -n +2; }
T4_sort() { sort -S6G --parallel=1 -t'	' -k3,3 -k4,4gr $D/events.tsv | mawk -F'\t' '{if ($3 != p) { p = $3; n = 0 } if (n++ < 3) print $3 "\t" $4 "\t" $1 "\t" $2}'; }

# --- T5 hop 1 h every 10 min, count by k -> window_start_ms, k, n
Q5="WITH p AS (SELECT ts//600000*600000 AS p, k, count(*) AS n FROM EV GROUP BY 1, 2) SELECT p - i*600000 AS w, k, sum(n)::BIGINT FROM p, range(6) t(i) GROUP BY 1, 2"
T5_duckdb20() { duckdb20 "${Q5/EV/$EV}"; }
T5_duckdb15() { duckdb15 "${Q5/EV/$EV}"; }
T5_duckdb20naive() { duckdb20 "SELECT ts//600000*600000 - i*600000 AS w, k, count(*) FROM $EV, range(6) t(i) GROUP BY 1, 2"; }
T5_chdb() { chdb "SELECT p - i*600000 AS w, k, sum(n) FROM (SELECT intDiv(ts,600000)*600000 AS p, k, count() AS n FROM $CEV GROUP BY p, k) ARRAY JOIN range(6) AS i GROUP BY w, k"; }
T5_polars() { polars T5; }
A5='{p=sprintf("%.0f",$1-$1%600000); c[p "\t" $3]++} END{for(x in c) {split(x,a,"\t"); for(i=0;i<6;i++) {y=sprintf("%.0f",a[1]-i*600000) "\t" a[2]; w[y]+=c[x]}} for(x in w) print x "\t" w[x]}'
T5_mawk() { mawk -F'\t' "$A5" $D/events.tsv; }
T5_mawknaive() { mawk -F'\t' '{p=$1-$1%600000; c[p "\t" $3]++} END{for(x in c) {split(x,a,"\t"); for(i=0;i<6;i++) w[a[1]-i*600000 "\t" a[2]]+=c[x]} for(x in w) print x "\t" w[x]}' $D/events.tsv; }
T5s_bytewax() { $PY -m bytewax.run "$HERE/bwx.py:flow"; }
T5s_pathway() { PATHWAY_THREADS=1 $PY "$HERE/pwy.py" && mawk -F, 'NR>1 {gsub(/"/,""); print $1 "\t" $2 "\t" $3}' $D/pwy.out.csv; }
T5s_mawk() { mawk -F'\t' "$A5" $D/events200k.tsv; }
T5s_duckdb20() { EVS="${EV/events.tsv/events200k.tsv}"; duckdb20 "${Q5/EV/$EVS}"; }

# --- T6 tumble 1 min, count + sum(amount) by k -> window_start_ms, k, n, sum
Q6="SELECT ts//60000*60000, k, count(*), sum(amount) FROM $EV GROUP BY 1, 2"
T6_duckdb20() { duckdb20 "$Q6"; }
T6_duckdb15() { duckdb15 "$Q6"; }
T6_chdb() { chdb "SELECT intDiv(ts,60000)*60000 AS w, k, count(), sum(amount) FROM $CEV GROUP BY w, k"; }
T6_polars() { polars T6; }
A6='{x=sprintf("%.0f",$1-$1%60000) "\t" $3; c[x]++; s[x]+=$4} END{for(x in c) printf "%s\t%d\t%.2f\n",x,c[x],s[x]}'
T6_mawk() { mawk -F'\t' "$A6" $D/events.tsv; }
T6_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output put '$w=$1-$1%60000' then stats1 -a count,sum -f 4 -g w,3 $D/events.tsv; }
T6_xan() { xan map -d '\t' -n 'col(0) - col(0) % 60000 as w' $D/events.tsv | xan groupby w,2 'count() as n, sum(3) as s' | xan fmt -t '\t' | tail -n +2; }

# --- T7 count(distinct user), 8 filters, by k -> k, all, ios, android, web, status=200, status>=500, amount>=10, amount<5
Q7="SELECT k, count(DISTINCT usr), count(DISTINCT usr) FILTER (plat='ios'), count(DISTINCT usr) FILTER (plat='android'), count(DISTINCT usr) FILTER (plat='web'), count(DISTINCT usr) FILTER (status=200), count(DISTINCT usr) FILTER (status>=500), count(DISTINCT usr) FILTER (amount>=10), count(DISTINCT usr) FILTER (amount<5) FROM $EV GROUP BY k"
T7_duckdb20() { duckdb20 "$Q7"; }
T7_duckdb15() { duckdb15 "$Q7"; }
T7_duckdb20bits() { duckdb20 "SELECT k, count(*), count(*) FILTER (b&1>0), count(*) FILTER (b&2>0), count(*) FILTER (b&4>0), count(*) FILTER (b&8>0), count(*) FILTER (b&16>0), count(*) FILTER (b&32>0), count(*) FILTER (b&64>0) FROM (SELECT k, usr, bit_or((plat='ios')::INT + (plat='android')::INT*2 + (plat='web')::INT*4 + (status=200)::INT*8 + (status>=500)::INT*16 + (amount>=10)::INT*32 + (amount<5)::INT*64) AS b FROM $EV GROUP BY k, usr) GROUP BY k"; }
T7_chdb() { chdb "SELECT k, uniqExact(usr), uniqExactIf(usr, plat='ios'), uniqExactIf(usr, plat='android'), uniqExactIf(usr, plat='web'), uniqExactIf(usr, status=200), uniqExactIf(usr, status>=500), uniqExactIf(usr, amount>=10), uniqExactIf(usr, amount<5) FROM $CEV GROUP BY k"; }
T7_polars() { polars T7; }
T7_mawk() { mawk -F'\t' 'function f(i) {if (!((i,x) in s)) {s[i,x]; n[k,i]++}} {k=$3; K[k]; x=k "\t" $2; f(0); if ($6=="ios") f(1); else if ($6=="android") f(2); else f(3); if ($5==200) f(4); if ($5>=500) f(5); if ($4>=10) f(6); if ($4<5) f(7)} END{for(k in K) {printf "%s",k; for(i=0;i<8;i++) printf "\t%d",n[k,i]; print ""}}' $D/events.tsv; }
T7_floor() { floor T7 $D/events.tsv; }

# --- T8 JSON lines: count, sum of a nested member by a nested member -> k, n, sum
T8_duckdb20() { duckdb20 "SELECT req.k, count(*), sum(req.amount) FROM read_json('$D/events.jsonl', format='newline_delimited', columns={'req':'STRUCT(k VARCHAR, amount DECIMAL(18,2))'}) GROUP BY 1"; }
T8_duckdb15() { duckdb15 "SELECT req.k, count(*), sum(req.amount) FROM read_json('$D/events.jsonl', format='newline_delimited', columns={'req':'STRUCT(k VARCHAR, amount DECIMAL(18,2))'}) GROUP BY 1"; }
T8_chdb() { chdb "SELECT JSONExtractString(line,'req','k') AS k, count(), sum(JSONExtract(line,'req','amount','Decimal(18,2)')) FROM file('$D/events.jsonl', 'LineAsString', 'line String') GROUP BY k"; }
T8_chdbtuple() { chdb "SELECT req.k, count(), sum(req.amount) FROM file('$D/events.jsonl', 'JSONEachRow', 'req Tuple(k String, amount Decimal(18,2))') GROUP BY 1"; }
T8_polars() { polars T8; }
AJ='{c[$1]++; s[$1]+=$2} END{for(k in c) printf "%s\t%d\t%.2f\n",k,c[k],s[k]}'
T8_jq() { jq -r '[.req.k,.req.amount]|@tsv' $D/events.jsonl | mawk -F'\t' "$AJ"; }
T8_gojq() { gojq -r '[.req.k,.req.amount]|@tsv' $D/events.jsonl | mawk -F'\t' "$AJ"; }
T8_jaq() { jaq -r '[.req.k,.req.amount]|@tsv' $D/events.jsonl | mawk -F'\t' "$AJ"; }
T8_mlr() { mlr --ijsonl --ocsvlite --ofs tab --headerless-csv-output flatten then stats1 -a count,sum -f req.amount -g req.k $D/events.jsonl; }
T8_ag() { agrind -f $D/events.jsonl -o json '* | json | count as n, sum(req.amount) as s by req.k' | jq -r '.[]|[."req.k",.n,.s]|@tsv'; }

# --- T9 combined log: (a) top 10 request targets -> path, n   (b) 5xx per minute -> minute, n
CLFRE='^(\\S+) \\S+ \\S+ \\[([^:]+:\\d\\d:\\d\\d):\\d\\d [^]]+\\] \"(?:\\S+ (\\S+) [^\"]*|-)\" (\\d+) '
T9a_mawk() { mawk '$7 ~ /^\// {c[$7]++} END{for(p in c) print p "\t" c[p]}' $D/access.log | sort -t'	' -k2,2nr | head; }
T9a_gawk() { gawk '$7 ~ /^\// {c[$7]++} END{for(p in c) print p "\t" c[p]}' $D/access.log | sort -t'	' -k2,2nr | head; }
T9a_sort() { cut -d' ' -f7 $D/access.log | grep ^/ | sort -S4G --parallel=1 | uniq -c | sort -rn | head | sed -E 's/^ *([0-9]+) (.*)/\2\t\1/'; }
T9a_ag() { agrind -f $D/access.log -o json '* | apache | count as n by url | sort by n desc | limit 10' | jq -r '.[]|[.url,.n]|@tsv'; }
T9a_goaccess() { goaccess $D/access.log --log-format=COMBINED --no-global-config -o json 2>/dev/null --max-items=12 --ignore-panel=VISITORS | jq -r '.requests.data[:10][]|[.data,.hits.count]|@tsv'; }
LG="read_csv('$D/access.log', delim='\x01', header=false, quote='', escape='', auto_detect=false, columns={'l':'VARCHAR'})"
T9a_duckdb20() { duckdb20 "SELECT regexp_extract(l, '\"\S+ (/\S*) ', 1) AS p, count(*) FROM $LG GROUP BY 1 HAVING p <> '' ORDER BY 2 DESC LIMIT 10"; }
T9a_duckdb20space() { duckdb20 "SELECT split_part(l, ' ', 7) AS p, count(*) FROM $LG GROUP BY 1 HAVING p[1] = '/' ORDER BY 2 DESC LIMIT 10"; }
T9a_chdb() { chdb "SELECT extract(line, '\"\\\\S+ (/\\\\S*) ') AS p, count() AS n FROM file('$D/access.log','LineAsString','line String') GROUP BY p HAVING p != '' ORDER BY n DESC LIMIT 10"; }
T9b_mawk() { mawk -F'"' '{split($3,s," "); } s[1]>=500 {c[substr($0,index($0,"[")+1,17)]++} END{for(m in c) print m "\t" c[m]}' $D/access.log; }
T9b_ag() { agrind -f $D/access.log -o json '* | apache | where status >= 500 | substring(timestamp, 0, 17) as m | count as n by m' | jq -r '.[]|[.m,.n]|@tsv'; }
T9b_duckdb20() { duckdb20 "SELECT regexp_extract(l, '\[([^:]+:\d\d:\d\d):', 1) AS m, count(*) FROM $LG WHERE regexp_extract(l, '\" ([0-9]{3}) ', 1)::INT >= 500 GROUP BY 1"; }
T9b_chdb() { chdb "SELECT extract(line, '\\\\[([^:]+:\\\\d\\\\d:\\\\d\\\\d):') AS m, count() FROM file('$D/access.log','LineAsString','line String') WHERE toInt32OrZero(extract(line, '\" ([0-9]{3}) ')) >= 500 GROUP BY m"; }

# --- T10 p50, p99 (smallest value whose rank >= q*n: SQL percentile_disc) of amount by k -> k, p50, p99
T10_duckdb20() { duckdb20 "SELECT k, quantile_disc(amount, 0.5), quantile_disc(amount, 0.99) FROM $EV GROUP BY k"; }
T10_duckdb15() { duckdb15 "SELECT k, quantile_disc(amount, 0.5), quantile_disc(amount, 0.99) FROM $EV GROUP BY k"; }
T10_duckdb20approx() { duckdb20 "SELECT k, approx_quantile(amount::DOUBLE, 0.5), approx_quantile(amount::DOUBLE, 0.99) FROM $EV GROUP BY k"; }
T10_duckdb20cont() { duckdb20 "SELECT k, quantile_cont(amount::DOUBLE, 0.5), quantile_cont(amount::DOUBLE, 0.99) FROM $EV GROUP BY k"; }
T10_chdb() { chdb "SELECT k, q[1], q[2] FROM (SELECT k, quantilesExact(0.5,0.99)(amount) AS q FROM $CEV GROUP BY k)"; }
T10_chdbtdigest() { chdb "SELECT k, q[1], q[2] FROM (SELECT k, quantilesTDigest(0.5,0.99)(toFloat64(amount)) AS q FROM $CEV GROUP BY k)"; }
T10_polars() { polars T10; }
T10_datamash() { datamash -s -g3 perc:50 4 perc:99 4 < $D/events.tsv; }
T10_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output stats1 -a p50,p99 -f 4 -g 3 $D/events.tsv; }
T10_xan() { xan groupby -d '\t' -n 2 'quantile(3,0.5) as a, quantile(3,0.99) as b' $D/events.tsv | xan fmt -t '\t' | tail -n +2; }
T10_ag() { agrind -f $D/events.tsv -o json '* | parse "*\t*\t*\t*\t*" as ts, u, k, amount, rest | p50(amount) as a, p99(amount) as b by k' | jq -r '.[]|[.k,.a,.b]|@tsv'; }

# --- T11 sessions per user, gap 10 min -> user, sessions
T11_duckdb20() { duckdb20 "SELECT usr, sum(n)::BIGINT FROM (SELECT usr, CASE WHEN ts - lag(ts) OVER (PARTITION BY usr ORDER BY ts) <= 600000 THEN 0 ELSE 1 END AS n FROM $EV) GROUP BY usr"; }
T11_duckdb15() { duckdb15 "SELECT usr, sum(n)::BIGINT FROM (SELECT usr, CASE WHEN ts - lag(ts) OVER (PARTITION BY usr ORDER BY ts) <= 600000 THEN 0 ELSE 1 END AS n FROM $EV) GROUP BY usr"; }
T11_chdb() { chdb "SELECT usr, arraySum(arrayMap(d -> d > 600000, arrayDifference(arraySort(groupArray(ts))))) + 1 FROM $CEV GROUP BY usr"; }
T11_polars() { polars T11; }
T11_mawk() { mawk -F'\t' '{u=$2; t=$1+0; l=last[u]; if (t > l) { if (t - l > 600000) n[u]++; last[u]=t }} END{for(u in n) print u "\t" n[u]}' $D/events.tsv; }

# --- T12 filter + project, order kept -> ts, user, url where status >= 500
T12_duckdb20() { duckdb20 "SELECT ts, usr, url FROM $EV WHERE status >= 500"; }
T12_duckdb15() { duckdb15 "SELECT ts, usr, url FROM $EV WHERE status >= 500"; }
T12_chdb() { chdb "SELECT ts, usr, url FROM $CEV WHERE status >= 500"; }
T12_polars() { polars T12; }
T12_mawk() { mawk -F'\t' '$5>=500 {print $1 "\t" $2 "\t" $7}' $D/events.tsv; }
T12_gawk() { gawk -F'\t' '$5>=500 {print $1 "\t" $2 "\t" $7}' $D/events.tsv; }
T12_frawk() { frawk -i tsv -o tsv '$5>=500 {print $1,$2,$7}' $D/events.tsv; }
T12_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output filter '$5>=500' then cut -o -f 1,2,7 $D/events.tsv; }
T12_xan() { xan filter -d '\t' -n 'col(4) >= 500' $D/events.tsv | xan select 0,1,6 | xan fmt -t '\t' | tail -n +2; }
T12_ag() { agrind -f $D/events.tsv -o 'format={ts}	{u}	{url}' '* | parse "*\t*\t*\t*\t*\t*\t*" as ts, u, k, a, st, pl, url | where st >= 500'; }
T12_floor() { floor T12 $D/events.tsv; }
T12_grepcut() { grep -P '\t5\d\d\t' $D/events.tsv | cut -f1,2,7; }

# --- T13 CSV with quotes: count, sum(amount) by k -> k, n, sum (the answer of T1)
CSV="read_csv('$D/events.csv', header=true, quote='\"', escape='\"', auto_detect=false, delim=',', columns={'ts':'BIGINT','usr':'VARCHAR','k':'VARCHAR','amount':'DECIMAL(18,2)','status':'INT','plat':'VARCHAR','url':'VARCHAR'})"
T13_duckdb20() { duckdb20 "SELECT k, count(*), sum(amount) FROM $CSV GROUP BY k"; }
T13_duckdb15() { duckdb15 "SELECT k, count(*), sum(amount) FROM $CSV GROUP BY k"; }
T13_chdb() { chdb "SELECT k, count(), sum(amount) FROM file('$D/events.csv', 'CSVWithNames', 'ts Int64, user String, k String, amount Decimal(18,2), status Int32, plat String, url String') GROUP BY k"; }
T13_polars() { polars T13; }
T13_mlr() { mlr --icsv --otsvlite --headerless-csv-output stats1 -a count,sum -f amount -g k $D/events.csv; }
T13_xan() { xan groupby k 'count() as n, sum(amount) as s' $D/events.csv | xan fmt -t '\t' | tail -n +2; }
T13_frawk() { frawk -i csv 'NR>1 {c[$3]++; s[$3]+=$4} END{for(k in c) { printf "%s\t%d\t%.2f\n",k,c[k],s[k]; }}' $D/events.csv; }
T13_mawknaive() { mawk -F, 'NR>1 {c[$3]++; s[$3]+=$4} END{for(k in c) printf "%s\t%d\t%.2f\n",k,c[k],s[k]}' $D/events.csv; }
T13_sqlite() { sqlite3 :memory: -cmd '.mode csv' -cmd ".import $D/events.csv e" -cmd '.mode tabs' 'select k,count(*),printf("%.2f",sum(amount)) from e group by k'; }

# --- T14 cold start: T1 on 3 lines (bench runs it 20 times in one measurement)
T14_duckdb20() { duckdb20 "${Q1/"$EV"/$THREE}"; }
T14_duckdb15() { duckdb15 "${Q1/"$EV"/$THREE}"; }
T14_chdb() { chdb "SELECT k, count(), sum(amount) FROM ${CEV/events.tsv/three.tsv} GROUP BY k"; }
T14_polars() { polars T14; }
T14_mawk() { mawk -F'\t' "$A1" $D/three.tsv; }
T14_gawk() { gawk -F'\t' "$A1" $D/three.tsv; }
T14_frawk() { frawk -i tsv '{c[$3]++; s[$3]+=$4} END{for(k in c) { printf "%s\t%d\t%.2f\n",k,c[k],s[k]; }}' $D/three.tsv; }
T14_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output stats1 -a count,sum -f 4 -g 3 $D/three.tsv; }
T14_datamash() { datamash -s -R2 -g3 count 3 sum 4 < $D/three.tsv; }
T14_xan() { xan groupby -d '\t' -n 2 'count() as n, sum(3) as s' $D/three.tsv | tail -n +2 | tr , '\t'; }
T14_ag() { agrind -f $D/three.tsv -o json '* | parse "*\t*\t*\t*\t*" as ts, u, k, amount, rest | count as n, sum(amount) as s by k'; }
T14_true() { /bin/true; }

# --- T15 Nexmark. q5: hop 10 s every 2 s, auctions with the most bids per window -> window_start_ms, auction, n
QN5="WITH p AS (SELECT ts//2000*2000 AS p, auction, count(*) AS n FROM BID GROUP BY 1, 2), w AS (SELECT p - i*2000 AS w, auction, sum(n)::BIGINT AS n FROM p, range(5) t(i) GROUP BY 1, 2) SELECT w, auction, n FROM w QUALIFY n = max(n) OVER (PARTITION BY w)"
T15q5_duckdb20() { duckdb20 "${QN5/BID/$BID}"; }
T15q5_duckdb15() { duckdb15 "${QN5/BID/$BID}"; }
T15q5_chdb() { chdb "SELECT w, tupleElement(x,1), tupleElement(x,2) FROM (SELECT w, max(n) AS m, groupArray((auction, n)) AS a FROM (SELECT p - i*2000 AS w, auction, sum(n) AS n FROM (SELECT intDiv(ts,2000)*2000 AS p, auction, count() AS n FROM $CBID GROUP BY p, auction) ARRAY JOIN range(5) AS i GROUP BY w, auction) GROUP BY w) ARRAY JOIN arrayFilter(y -> y.2 = m, a) AS x"; }
T15q5_polars() { polars T15q5; }
T15q5_mawk() { mawk -F'\t' '{c[sprintf("%.0f",$6-$6%2000) "\t" $1]++} END{for(x in c) {split(x,a,"\t"); for(i=0;i<5;i++) {w=sprintf("%.0f",a[1]-i*2000); n[w "\t" a[2]]+=c[x]}} for(x in n) {split(x,a,"\t"); if (n[x]>m[a[1]]) m[a[1]]=n[x]} for(x in n) {split(x,a,"\t"); if (n[x]==m[a[1]]) print x "\t" n[x]}}' $D/bids.tsv; }
# q18: the last bid per bidder + auction (ties in time: the later row) -> bidder, auction, price, ts
T15q18_duckdb20() { duckdb20 "SELECT bidder, auction, last(price), last(ts) FROM $BID GROUP BY ALL"; }
T15q18_duckdb15() { duckdb15 "SELECT bidder, auction, last(price), last(ts) FROM $BID GROUP BY ALL"; }
T15q18_duckdb20argmax() { duckdb20 "SELECT bidder, auction, arg_max(price, ts), max(ts) FROM $BID GROUP BY ALL"; }
T15q18_chdb() { chdb "SELECT bidder, auction, anyLast(price), anyLast(ts) FROM $CBID GROUP BY bidder, auction"; }
T15q18_polars() { polars T15q18; }
T15q18_mawk() { mawk -F'\t' '{l[$2 "\t" $1]=$3 "\t" $6} END{for(x in l) print x "\t" l[x]}' $D/bids.tsv; }
T15q18_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output tail -n 1 -g 2,1 then cut -o -f 2,1,3,6 $D/bids.tsv; }
# q19: top 10 bids by price per auction -> auction, price
T15q19_duckdb20() { duckdb20 "SELECT auction, unnest(max(price, 10)) FROM $BID GROUP BY auction"; }
T15q19_duckdb15() { duckdb15 "SELECT auction, unnest(max(price, 10)) FROM $BID GROUP BY auction"; }
T15q19_duckdb20rn() { duckdb20 "SELECT auction, price FROM $BID QUALIFY row_number() OVER (PARTITION BY auction ORDER BY price DESC) <= 10"; }
T15q19_chdb() { chdb "SELECT auction, price FROM $CBID ORDER BY price DESC LIMIT 10 BY auction"; }
T15q19_polars() { polars T15q19; }
T15q19_mlr() { mlr --tsvlite --implicit-csv-header --headerless-csv-output top -n 10 -f 3 -g 1 -a then cut -o -f 1,3 $D/bids.tsv; }
T15q19_sort() { sort -S8G --parallel=1 -t'	' -k1,1 -k3,3nr $D/bids.tsv | mawk -F'\t' '{if ($1 != p) { p = $1; n = 0 } if (n++ < 10) print $1 "\t" $3}'; }

# --- T16 logfmt: count, sum(amount) by k -> k, n, sum
T16_ag() { agrind -f $D/events.logfmt -o json '* | logfmt | count as n, sum(amount) as s by k' | jq -r '.[]|[.k,.n,.s]|@tsv'; }
T16_mawk() { mawk '{k=""; for(i=1;i<=NF;i++) { if ($i ~ /^k=/) k=substr($i,3); else if ($i ~ /^amount=/) a=substr($i,8) } c[k]++; s[k]+=a} END{for(k in c) printf "%s\t%d\t%.2f\n",k,c[k],s[k]}' $D/events.logfmt; }
T16_duckdb20() { duckdb20 "SELECT regexp_extract(l, ' k=(\S+)', 1) AS k, count(*), sum(regexp_extract(l, ' amount=(\S+)', 1)::DECIMAL(18,2)) FROM ${LG/access.log/events.logfmt} GROUP BY 1"; }
T16_mlr() { mlr --idkvp --ifs space --otsvlite --headerless-csv-output stats1 -a count,sum -f amount -g k $D/events.logfmt; }

# --- weir: one thread, whatever the machine has
weir=${WEIR:-$HERE/../../build/release/weir}
T1_weir() { $weir -F -o tsv -k c3 -r 'count, sum(c4)' $D/events.tsv; }
T1_weirmini() { $weir -m 5000 -k c3 -r 'count, sum(c4)' $D/events.tsv; }
T1c_weir() { $weir -k c3 -r count $D/events.tsv; }
T2_weir() { $weir -F -o tsv -k c2 -r count $D/events.tsv; }
T3_weir() { $weir -F -o tsv -k c2 -r count -t '10 by count desc' $D/events.tsv; }
T4_weir() { $weir -F -o tsv -k c3 -t '3 by c4 desc' -s 'c3, c4, c1, c2' $D/events.tsv; }
# The events are up to 5 s out of order: windows close 5 s behind their end, and only open ones are held.
EVT="--time c1,ms --watermark 5s --time-format ms"
T5_weir() { $weir -F -o tsv $EVT -k c3 --hop '1h every 10m' -r count -s 'window_start, c3, count' $D/events.tsv; }
T5fine_weir() { $weir -F -o tsv $EVT -k c3 --hop '1h every 10s' -r count -s 'window_start, c3, count' $D/events.tsv; }
T5coarse_weir() { $weir -F -o tsv $EVT -k c3 --hop '1h every 1m' -r count -s 'window_start, c3, count' $D/events.tsv; }
T6_weir() { $weir -F -o tsv $EVT -k c3 --tumble 1m -r 'count, sum(c4)' -s 'window_start, c3, count, sum_c4' $D/events.tsv; }
T8_weir() { $weir -F -o tsv -f json -k req.k -r 'count, sum(req.amount)' $D/events.jsonl; }
# the target is weir's url; path has no query
T9a_weir() { $weir -F -o tsv -f combined -k url -r count -t '10 by count desc' $D/access.log; }
T11_weir() { $weir -F -o tsv $EVT -k c2 --session 10m -r count -k c2 -r count $D/events.tsv; }
T12_weir() { $weir -F -o tsv -w 'c5 >= 500' -s 'c1, c2, c7' $D/events.tsv; }
T13_weir() { $weir -F -o tsv -f csv -k k -r 'count, sum(amount)' $D/events.csv; }
T14_weir() { $weir -F -o tsv -k c3 -r 'count, sum(c4)' $D/three.tsv; }
T16_weir() { $weir -F -o tsv -f logfmt -k k -r 'count, sum(amount)' $D/events.logfmt; }

input() { case $1 in T8) echo events.jsonl;; T9*) echo access.log;; T5s) echo events200k.tsv;; T13) echo events.csv;; T14) echo three.tsv;; T15*) echo bids.tsv;; T16) echo events.logfmt;; *) echo events.tsv;; esac; }
norm() { $PY "$HERE/norm.py"; }
answer() { norm < "$1" | sha256sum | cut -c1-64; }
verdict() { local want; [ -s "$HERE/answers/$1.sum" ] || { echo noref; return; }; read -r want _ < "$HERE/answers/$1.sum"; [ "$(answer "$2")" = "$want" ] && echo equal || echo DIFFERS; }
once() { /usr/bin/time -f '%e %U %S %M' -o "$TMP/time" timeout "${LIMIT:-400}" taskset -c "$CORE" bash "$0" exec "$1" "$2" > "$TMP/$1.$2.out" 2> "$TMP/$1.$2.err"; }
bench1() { local f="$D/$(input "$1")" i w u s m rows=() n=3 ; local size; size=$(stat -c %s "$f")
	cat "$f" > /dev/null
	once "$1" "$2"; local rc=$?; read -r w u s m < <(tail -1 "$TMP/time")
	if [ $rc -ne 0 ] && ! [ -s "$TMP/$1.$2.out" ]; then printf '%s\t%s\tFAILED rc=%s\t%s\n' "$1" "$2" $rc "$(head -c 300 "$TMP/$1.$2.err" | tr '\n\t' '  ')" | tee -a "$OUT"; return; fi
	if [ "${w%.*}" -ge "${ONE:-60}" ]; then rows=("$w $u $s $m"); else [ "${w%.*}" -ge "${TWO:-60}" ] && n=1; for ((i = 0; i < n; i++)); do once "$1" "$2"; rows+=("$(tail -1 "$TMP/time")"); done; fi
	read -r w u s m < <(printf '%s\n' "${rows[@]}" | mawk '{print $2+$3, $0}' | sort -n | cut -d' ' -f2- | sed -n "$(( (${#rows[@]} + 1) / 2 ))p")
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$w" "$(mawk "BEGIN{printf \"%.2f\",$u+$s}")" "$((m / 1024))" "$(mawk "BEGIN{printf \"%.3f\",$size/1e9/($u+$s+1e-9)}")" "$(verdict "$1" "$TMP/$1.$2.out")" "${#rows[@]}" | tee -a "$OUT"; }

case $1 in
cold) shift; [ $# -gt 0 ] || set -- $(bash "$0" list T14 | cut -d' ' -f2); for x; do /usr/bin/time -f '%e %U %S %M' -o "$TMP/time" taskset -c "$CORE" bash "$0" loop "$x" > "$TMP/T14.$x.out" 2> "$TMP/T14.$x.err"; read -r w u s m < <(tail -1 "$TMP/time"); read -r l < "$TMP/T14.$x.out"
	printf 'T14\t%s\t%s\t%s\t%s\n' "$x" "$(tail -1 "$TMP/T14.$x.out" | mawk -v n="${N:-20}" '{printf "%.1f ms", ($2-$1)*1000/n}')" "$(mawk "BEGIN{printf \"%.1f ms CPU\",($u+$s)*1000/${N:-20}}")" "$((m / 1024)) MB" | tee -a "$P/cold.tsv"; done;;
loop) a=$EPOCHREALTIME; for ((i = 0; i < ${N:-20}; i++)); do "T14_$2" > /dev/null; done; echo "$a $EPOCHREALTIME";;
list) declare -F | sed -nE 's/^declare -f (T[0-9a-z]+)_(.*)/\1 \2/p' | { [ -n "$2" ] && grep "^$2 " || cat; };;
show) declare -f "$2_$3";;
exec|run) "$2_$3";;
check) bash "$0" exec "$2" "$3" > "$TMP/$2.$3.out"; verdict "$2" "$TMP/$2.$3.out";;
ref) norm < "$TMP/$2.$3.out" > "$TMP/$2.norm"; { sha256sum < "$TMP/$2.norm" | cut -c1-64 | tr '\n' ' '; echo "rows=$(wc -l < "$TMP/$2.norm") from=$3"; } > "$HERE/answers/$2.sum"; head -${4:-20} "$TMP/$2.norm" > "$HERE/answers/$2.head";;
bench) t=$2; shift 2; [ $# -gt 0 ] || set -- $(bash "$0" list "$t" | cut -d' ' -f2); for x; do bench1 "$t" "$x"; done;;
*) sed -n '2,9p' "$0"; exit 2;;
esac
