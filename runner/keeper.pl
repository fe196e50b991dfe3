# Starts a program and keeps what descends from it in sight: Linux gives orphans to the nearest ancestor that has asked
# for them, so that nothing which forks away, leaves its session and empties its environment is lost. Node cannot ask
# (it takes a system call), and perl-base is part of every Debian and Ubuntu.
#
#   keeper.pl <number of the system call prctl> <program> <argument>...      file descriptor 3: how the program ended
#
# After a success it ends too, and what the program left lives on. After a failure it stays until nothing is left of it:
# whoever started it ends the rest.
use strict;
use warnings;

my ($prctl, @command) = @ARGV;
my $set_child_subreaper = 36;
syscall($prctl, $set_child_subreaper, 1, 0, 0, 0) == 0 or die "prctl: $!\n";
$0 = 'sluice-keeper';
# A handler, because what is ignored would be ignored by the program too.
$SIG{$_} = sub { } for qw(TERM INT HUP);

open(my $report, '>&=', 3) or die "file descriptor 3: $!\n";
my $pid = fork() // die "fork: $!\n";
if ($pid == 0) {
  $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP);
  close($report);
  exec { $command[0] } @command or do {
    print STDERR "$command[0] could not be started: $!\n";
    exit 127;
  };
}
open(STDOUT, '>', '/dev/null');
open(STDERR, '>', '/dev/null');

while ((my $ended = waitpid(-1, 0)) != -1 or $!{EINTR}) {
  next if $ended != $pid;
  my ($code, $signal) = ($? >> 8, $? & 127);
  syswrite($report, "$code $signal\n");
  close($report);
  exit 0 if $code == 0 and $signal == 0;
}
