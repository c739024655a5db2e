# SPDX-License-Identifier: MIT
# Prints what zsh shows when TAB is pressed after "apus convert --".
zmodload zsh/zpty
zpty shell 'TERM=vt100 zsh -f -i'
zpty -w shell 'stty rows 500 columns 200; LISTMAX=0; autoload -Uz compinit; compinit -u -D; print rea""dy'
zpty -r -m shell shown '*ready*'
zpty -w -n shell $'apus convert --\t'
repeat 100; do
  while zpty -r -t shell more; do shown+=$more; done
  [[ $shown == *--quality* && $shown == *--output* ]] && break
  sleep 0.1
done
print -r -- "$shown"
zpty -d shell
