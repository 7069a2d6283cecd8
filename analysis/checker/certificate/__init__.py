"""The parts of scripts/check_certificate.py."""
